/**
 * What staff may do: owners everything; editors content and mailings; support members, without money or content; viewers
 * only look at figures. `user_roles` stores an owner as `admin` (spec §3).
 */
export const staffRoles = ['owner', 'editor', 'support', 'viewer'] as const
export type StaffRole = (typeof staffRoles)[number]
