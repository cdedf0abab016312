import type { StaffRole } from './staff-roles.ts'

type RightText = {
  /** What the assistant may do, as it follows "It can". */
  label: string
  /** Staff who can give the right. Without it, everyone can. */
  roles?: readonly StaffRole[]
}

/** What a connected assistant may do: OAuth scopes, with the words of the consent page. */
const texts = {
  'library:read': { label: 'Find and read everything your plan includes, in your order' },
  'business:read': { label: 'See your business profile, stores, and your franchisor’s rules' },
  'activity:write': { label: 'Save items, record what you tried, and answer questions for you' },
  'assignments:write': { label: 'Check off your assignments, and assign items to your team' },
  'publication:read': {
    label: 'See the publication’s figures, email reports, and what readers say',
    roles: ['owner', 'editor', 'support', 'viewer'],
  },
  'members:read': { label: 'Look up members and their plans', roles: ['owner', 'support'] },
  'drafts:write': {
    label: 'Create and edit drafts. It can’t publish, send, or delete anything',
    roles: ['owner', 'editor'],
  },
} as const satisfies Record<string, RightText>

export type Right = keyof typeof texts

export type ConnectionRight = RightText & { right: Right }

export const connectionRights: readonly ConnectionRight[] = Object.entries(texts).map(([right, text]) => ({
  right: right as Right,
  ...text,
}))

export const rightNames = Object.keys(texts) as [Right, ...Right[]]

/** The rights among the given scopes that someone with this role can give, in the order of the list. Ignores other scopes. */
export const rightsFor = (scopes: Iterable<string>, role: StaffRole | null): Right[] => {
  const wanted = new Set(scopes)
  return connectionRights
    .filter(({ right, roles }) => wanted.has(right) && (!roles || (role !== null && roles.includes(role))))
    .map(({ right }) => right)
}

export const assistantChoices = {
  everyone: 'Members and staff may connect one',
  members: 'Members may connect one',
  staff: 'Staff may connect one',
  off: 'Turned off',
} as const
export type AssistantChoice = keyof typeof assistantChoices

/** The rights that the publisher's choice leaves. Rights with roles are the staff's. */
export const rightsLeft = (rights: ReadonlySet<Right>, choice: AssistantChoice): ReadonlySet<Right> =>
  new Set(
    connectionRights.flatMap(({ right, roles }) =>
      rights.has(right) && (choice === 'everyone' || choice === (roles ? 'staff' : 'members')) ? right : [],
    ),
  )
