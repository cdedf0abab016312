import type { ImportOptions } from '#shared/contracts/operations/member-import.ts'
import type { FieldValues } from '#shared/domain/custom-fields.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'

export type MemberChange =
  | 'name'
  | 'tags'
  | 'note'
  | 'answers'
  | 'preferences'
  | 'fields'
  | 'stripeCustomer'
  | 'unsubscribe'
  | 'suppress'
  | 'complimentary'

/** Stored data of a member that the import could change. */
export type StoredMember = {
  userId: string
  name: string | null
  tags: readonly string[]
  notes: readonly string[]
  answers: Readonly<Record<string, string>>
  /** Answers to the questions at sign-up; null for a member who hasn't answered. */
  preferences: { goals: readonly string[]; franchiseType: string | null } | null
  fields: FieldValues
  /** True if any email stream is on. */
  getsEmail: boolean
  /** True if the address is or was suppressed. A lifted suppression isn't renewed. */
  wasSuppressed: boolean
  complimentaryUntil: Date | null
  hasStripeCustomer: boolean
}

export type MemberPlan = {
  outcome: 'new' | 'changed' | 'unchanged'
  /** All differences, in the order in which they are written. */
  changes: MemberChange[]
  /** Those that the import writes. */
  applied: ReadonlySet<MemberChange>
  /** When complimentary access ends, if the import grants it. */
  complimentaryUntil: Date | null
}

/** Ends at the end of the day in UTC. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59Z`)

/** When complimentary access ends: the source's date, else the publisher's. Null unless the publisher wants to grant it. */
export function complimentaryEnd(member: ImportedMember, options: ImportOptions, now: Date): Date | null {
  if (!member.complimentary || options.complimentaryUntil === null) return null
  const end = member.complimentaryUntil ? new Date(member.complimentaryUntil) : endOfDay(options.complimentaryUntil)
  return end > now ? end : null
}

/** Members who answered keep their answers; only the optional questions can be left open. */
function lacksPreferences({ preferences: given }: ImportedMember, stored: StoredMember | null): boolean {
  if (!given) return false
  if (!stored?.preferences) return true
  const { goals, franchiseType } = stored.preferences
  return (given.goals.length > 0 && goals.length === 0) || (given.franchiseType !== null && franchiseType === null)
}

/**
 * Decides what one line does. Existing members are never renamed or subscribed again; what they lack is filled in and
 * what the file withdraws is withdrawn only if the publisher chose so.
 */
export function planMember(
  member: ImportedMember,
  stored: StoredMember | null,
  options: ImportOptions,
  now: Date,
): MemberPlan {
  const complimentaryUntil = complimentaryEnd(member, options, now)
  const isSuppressed = member.mail === 'bounced' || member.mail === 'complained'
  const wanted: Record<MemberChange, boolean> = {
    name: member.name !== null && !stored?.name,
    tags: member.tags.some((tag) => !stored?.tags.includes(tag)),
    note: member.note !== null && !stored?.notes.includes(member.note),
    answers: Object.keys(member.answers).some((name) => !stored?.answers[name]),
    preferences: lacksPreferences(member, stored),
    fields: Object.keys(member.fields ?? {}).some((id) => !(id in (stored?.fields ?? {}))),
    stripeCustomer: member.stripeCustomerId !== null && !stored?.hasStripeCustomer,
    unsubscribe: stored
      ? stored.getsEmail && (member.mail === 'unsubscribed' || member.mail === 'complained')
      : member.mail !== 'subscribed' && member.mail !== 'bounced',
    suppress: isSuppressed && !stored?.wasSuppressed,
    complimentary:
      complimentaryUntil !== null &&
      (stored?.complimentaryUntil ?? new Date(0)).getTime() < complimentaryUntil.getTime(),
  }
  const changes = (Object.keys(wanted) as MemberChange[]).filter((name) => wanted[name])
  const isAllowed = (change: MemberChange): boolean => {
    if (!stored || change === 'complimentary') return true
    return change === 'unsubscribe' || change === 'suppress' ? options.unsubscribeExisting : options.fillExisting
  }
  const applied = new Set(changes.filter(isAllowed))
  const outcome = stored ? (applied.size > 0 ? 'changed' : 'unchanged') : 'new'
  return { outcome, changes, applied, complimentaryUntil }
}
