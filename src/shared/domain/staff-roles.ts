/**
 * Permissions of staff: owners everything; editors content and mailings; support members, without money or content; viewers
 * only look at figures. `user_roles` stores an owner as `admin`, the role that its clients know.
 */
export const staffRoles = ['owner', 'editor', 'support', 'viewer'] as const
export type StaffRole = (typeof staffRoles)[number]

export const storedRole = (role: StaffRole): string => (role === 'owner' ? 'admin' : role)

/** The role that a value of `user_roles` stands for; null for no role or an unknown one. */
export function parseStoredRole(stored: unknown): StaffRole | null {
  if (stored === 'admin') return 'owner'
  return stored !== 'owner' && staffRoles.includes(stored as StaffRole) ? (stored as StaffRole) : null
}

/** Names and descriptions on screen and in email. */
export const staffRoleLabels: Record<StaffRole, { name: string; can: string }> = {
  owner: { name: 'Owner', can: 'Everything, including staff, money, and settings' },
  editor: { name: 'Editor', can: 'Content, mailings, and what readers tried. No members’ data, no money' },
  support: { name: 'Support', can: 'Members and their access. No content, no money' },
  viewer: { name: 'Viewer', can: 'Figures only' },
}
