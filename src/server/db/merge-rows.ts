import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { queryRows, type Tx } from './database.ts'
import * as schema from './schema/index.ts'

/** Two accounts of one person: `from` is merged into `to`, and deleted. */
export type Merged = { from: string; to: string; now: Date }

type Move = {
  table: PgTable
  /** For the check, such as "saved items"; without it, the rows belong to others that are named. */
  what?: string
  /** Column with the account; default: `userId`. */
  of?: PgColumn
  /** Moves rows only if the kept account has none. */
  ifNone?: true
  /** Rows that refer to those that move, and move in the same statement: columns with those that they refer to. */
  children?: { table: PgTable; on: readonly (readonly [PgColumn, PgColumn])[] }
  /** Inserts copies with these values instead, since triggers read rows that are added or deleted. */
  copy?: (to: string) => Record<string, SQL>
}

const { tries, tryDays, collections, collectionItems, memberTags, memberNotes, gift, referral } = schema

/**
 * What moves to the kept account, in this order. Where both have something, the kept account's stays. What isn't here is merged
 * by merge-members.ts or deleted with the other account; merge-members.test.ts lists it.
 */
export const moves: readonly Move[] = [
  { table: schema.userPreferences, what: 'answers at sign-up', ifNone: true },
  { table: schema.businessLocation, what: 'locations', ifNone: true },
  { table: schema.deadline, what: 'deadlines' },
  { table: schema.purchaseConsent },
  { table: schema.storeMoney, what: 'money found', of: schema.storeMoney.ownerId },
  { table: schema.promptAnswer, what: 'details for prompts' },
  { table: schema.franchisorRules, what: 'recorded rules' },
  { table: schema.savedItems, what: 'saved items' },
  {
    table: collections,
    what: 'collections',
    children: { table: collectionItems, on: [[collectionItems.collectionId, collections.id]] },
  },
  { table: schema.readingState, what: 'read items' },
  { table: schema.listeningPosition, what: 'positions in recordings' },
  { table: schema.recordingDownload },
  {
    table: tries,
    what: 'tries',
    children: {
      table: tryDays,
      on: [
        [tryDays.kind, tries.kind],
        [tryDays.itemId, tries.itemId],
      ],
    },
  },
  { table: schema.readerWage },
  { table: schema.pollVotes, what: 'poll votes' },
  { table: schema.questionAnswers, what: 'answers to questions' },
  { table: schema.emailReplies, what: 'replies by email' },
  { table: schema.itemVotes, what: 'votes' },
  { table: schema.comment, what: 'answers under drops' },
  { table: schema.commentMark },
  { table: schema.commentAuthor },
  { table: schema.itemUses },
  { table: schema.seenChanges },
  { table: schema.segmentMembers, what: 'segments' },
  {
    table: memberTags,
    what: 'tags',
    copy: (to) => ({
      joinedMicros: sql`(select (extract(epoch from u.created_at) * 1000000)::bigint from auth.users u where u.id = ${to}::uuid)`,
    }),
  },
  // Whoever was in a series' segment doesn't enter it again.
  { table: schema.seriesSegmentMember },
  { table: memberNotes, what: 'notes of staff', copy: () => ({ id: sql`gen_random_uuid()` }) },
  { table: schema.memberSources, ifNone: true },
  { table: schema.formerTeamMember },
  { table: gift, what: 'gifts', of: gift.claimedBy },
  { table: schema.purchase, what: 'purchases' },
  { table: schema.giftLinkUse, what: 'uses of gift links' },
  { table: referral, what: 'referrals', of: referral.referrerId },
  { table: referral, of: referral.refereeId },
]

const userColumnOf = ({ table, of }: Pick<Move, 'table' | 'of'>): PgColumn =>
  of ??
  (getTableColumns(table) as Record<string, PgColumn>).userId ??
  raise(`${getTableConfig(table).name}: no account`)

const raise = (message: string): never => {
  throw new Error(message)
}

/** The columns of each unique key that contains the account, without it. */
function keysWith(table: PgTable, user: PgColumn): PgColumn[][] {
  const { primaryKeys, uniqueConstraints, indexes, columns } = getTableConfig(table)
  const keys = [
    ...primaryKeys.map((key) => key.columns),
    ...uniqueConstraints.map((key) => key.columns),
    ...indexes.filter(({ config }) => config.unique).map(({ config }) => config.columns as PgColumn[]),
    ...columns.filter((column) => column.primary || column.isUnique).map((column) => [column]),
  ]
  return keys
    .filter((key) => key.some((column) => column.name === user.name))
    .map((key) => key.filter((column) => column.name !== user.name))
}

const named = ({ name }: PgColumn) => sql.identifier(name)

/** SQL: true if the kept account already has a row with the key of the row `o` that would move. */
function isKept(table: PgTable, user: PgColumn, keys: readonly PgColumn[][], to: string): SQL {
  const conditions = keys.map((key) => {
    const same = key.map((column) => sql` and k.${named(column)} = o.${named(column)}`)
    return sql`exists (select 1 from ${table} k where k.${named(user)} = ${to}::uuid${sql.join(same)})`
  })
  return conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`false`
}

/** Moves rows, and returns how many of each kind. What remains is deleted with the account. */
export async function moveRows(tx: Tx, { from, to }: Omit<Merged, 'now'>): Promise<{ what: string; count: number }[]> {
  const moved: { what: string; count: number }[] = []
  for (const move of moves) {
    const { table, what, ifNone, copy, children } = move
    const user = userColumnOf(move)
    const conflicts = [
      isKept(table, user, ifNone ? [[]] : keysWith(table, user), to),
      // Who brought themselves isn't a referral.
      ...(table === referral
        ? [sql`${to}::uuid in (coalesce(o.referrer_id, o.id), coalesce(o.referee_id, o.id))`]
        : []),
    ]
    const where = sql`o.${named(user)} = ${from}::uuid and not (${sql.join(conflicts, sql` or `)})`
    const rows = await queryRows(
      tx,
      copy
        ? copyOf(table, { ...copy(to), [keyOf(table, user)]: sql`${to}::uuid` }, where)
        : sql`with moved as (update ${table} o set ${named(user)} = ${to}::uuid where ${where} returning o.*)
          ${children ? childrenOf(children, from, to) : sql``} select 1 from moved`,
    )
    if (what && rows.length > 0) moved.push({ what, count: rows.length })
  }
  return moved
}

/** Part of the statement that moves the rows they refer to, because the foreign keys contain the account. */
const childrenOf = ({ table, on }: NonNullable<Move['children']>, from: string, to: string) => {
  const user = named(userColumnOf({ table }))
  const isOf = on.map(([column, parent]) => sql` and c.${named(column)} = moved.${named(parent)}`)
  return sql`, children as (update ${table} c set ${user} = ${to}::uuid from moved
    where c.${user} = ${from}::uuid${sql.join(isOf)})`
}

const keyOf = (table: PgTable, column: PgColumn) =>
  Object.entries(getTableColumns(table)).find(([, each]) => each.name === column.name)?.[0] ?? ''

function copyOf(table: PgTable, values: Record<string, SQL>, where: SQL): SQL {
  const columns = Object.entries(getTableColumns(table) as Record<string, PgColumn>).filter(
    ([, column]) => !column.generated,
  )
  const names = columns.map(([, column]) => named(column))
  const selected = columns.map(([key, column]) => values[key] ?? sql`o.${named(column)}`)
  return sql`insert into ${table} (${sql.join(names, sql`, `)})
    select ${sql.join(selected, sql`, `)} from ${table} o where ${where} returning 1`
}
