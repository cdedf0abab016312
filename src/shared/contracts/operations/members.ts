import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { accountStates, memberFilterSchema, memberStatuses } from '#shared/domain/member-filter.ts'

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as [Key, ...Key[]]
const instant = z.iso.datetime()

export const memberOrders = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  renewal: 'Renews soonest',
  active: 'Last active',
} as const
export type MemberOrder = keyof typeof memberOrders

const listedMemberSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  joinedAt: instant,
  status: z.enum(keysOf(memberStatuses)),
  /** The plan now or before, or the one that gives the seat; null if it isn't sold anymore. */
  plan: planKeySchema.nullable(),
  renewsAt: instant.nullable(),
  /** The newest sign-in, open or click. */
  lastActiveAt: instant.nullable(),
  account: z.array(z.enum(keysOf(accountStates))),
  franchiseType: z.string().nullable(),
  /** Focus areas, AI level and goals in words. */
  answers: z.array(z.string()),
  locations: z.number().int(),
  tags: z.array(z.string()),
  noted: z.boolean(),
})
export type ListedMember = z.output<typeof listedMemberSchema>

/** Keyset pages of the members that match. */
export const adminMembersCall = defineAdminCall({
  name: 'admin-members',
  roles: ['owner', 'support'],
  input: z.object({
    filter: memberFilterSchema.prefault({}),
    order: z.enum(keysOf(memberOrders)).default('newest'),
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({ items: z.array(listedMemberSchema), nextCursor: z.string().nullable() }),
})

/** Larger counts are shown as "10,000+". */
export const maxCountedMembers = 10_000

export const adminCountMembersCall = defineAdminCall({
  name: 'admin-count-members',
  roles: ['owner', 'support'],
  input: z.object({ filter: memberFilterSchema.prefault({}) }),
  output: z.object({
    count: z.number().int().max(maxCountedMembers),
    /** True if there are more. */
    isCapped: z.boolean(),
    /** Tags in use, to filter by. */
    tagsInUse: z.array(z.string()),
  }),
})
