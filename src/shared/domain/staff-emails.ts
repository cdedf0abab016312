import type { StaffRole } from './staff-roles.ts'

/** Emails that staff choose for themselves. Alerts about failures are always sent. */
export const staffEmailKinds = ['member', 'canceled', 'payment-failed', 'gift', 'answer', 'weekly'] as const
export type StaffEmailKind = (typeof staffEmailKinds)[number]

/** The kinds that are about something that just happened, at most one email an hour. */
export type StaffEventKind = Exclude<StaffEmailKind, 'weekly'>
export const staffEventKinds = staffEmailKinds.filter((kind) => kind !== 'weekly')

export const staffEmailLabels: Record<StaffEmailKind, { label: string; description: string }> = {
  member: { label: 'New members', description: 'Someone signed up, or was created or imported.' },
  canceled: { label: 'Cancellations', description: 'A member canceled a plan.' },
  'payment-failed': { label: 'Failed payments', description: 'A renewal couldn’t be charged.' },
  gift: { label: 'Gifts', description: 'Someone paid for a gift, or claimed one.' },
  answer: { label: 'Answers', description: 'A reader answered your question, or told you how something went.' },
  weekly: { label: 'Weekly summary', description: 'On Mondays, the numbers of the week before.' },
}

const rolesOf: Record<StaffEmailKind, readonly StaffRole[]> = {
  member: ['owner', 'support', 'viewer'],
  canceled: ['owner', 'support', 'viewer'],
  'payment-failed': ['owner', 'support'],
  gift: ['owner', 'viewer'],
  answer: ['owner', 'editor'],
  weekly: ['owner', 'editor', 'support', 'viewer'],
}

/** Emails that a role may get, since it may see the same in the admin. */
export const maySeeStaffEmail = (role: StaffRole, kind: StaffEmailKind): boolean => rolesOf[kind].includes(role)
