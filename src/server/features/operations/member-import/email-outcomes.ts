import { type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { readNewsletterRows } from '#server/features/publishing/newsletters/read-newsletters.ts'
import {
  type EmailOutcome,
  emailOutcomes,
  type ImportCounts,
  type ImportOptions,
} from '#shared/contracts/operations/member-import.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'

type Facts = Pick<ImportedMember, 'mail' | 'confirmed' | 'paying'> & {
  /** Ids; null or missing if the file doesn't say. */
  newsletters?: readonly number[] | null
  /** Gets complimentary access. */
  complimentary: boolean
}

/** Weekly drops and product news, or one that the publisher added. */
type Target = 'drops' | 'news' | { id: number; membersOnly: boolean; subscribesNewMembers: boolean }

/** Whether a new member gets a newsletter, and why not. `audienceSql` decides again for each mailing. */
export function emailOutcomeOf(member: Facts, target: Target, options: ImportOptions | null): EmailOutcome {
  const { mail, newsletters, complimentary, paying } = member
  if (mail === 'bounced' || mail === 'complained') return 'suppressed'
  if (mail !== 'subscribed') return mail
  const isConfirmed = member.confirmed || options?.vouchConfirmed === true
  if (target === 'drops') {
    if (complimentary) return 'gets'
    if (options?.freeEdition && isConfirmed) return 'free'
    return paying ? 'unlinked' : options?.freeEdition ? 'unconfirmed' : 'no_free_edition'
  }
  if (target !== 'news') {
    const isSubscribed = newsletters ? newsletters.includes(target.id) : target.subscribesNewMembers
    if (!isSubscribed) return newsletters ? 'not_named' : 'not_for_everyone'
    if (target.membersOnly && !complimentary) return paying ? 'unlinked' : 'no_access'
  }
  return isConfirmed ? 'gets' : 'unconfirmed'
}

/** Newsletters in use, those that come with every publication first. */
export async function readTargets(db: Db | Tx): Promise<{ name: string; target: Target }[]> {
  const added = (await readNewsletterRows(db)).filter(({ retiredAt }) => retiredAt === null)
  return [
    { name: 'Weekly drops', target: 'drops' },
    { name: 'Product news', target: 'news' },
    ...added.map((row) => ({ name: row.name, target: row })),
  ]
}

/** How many of the new members get each newsletter, and why the others don't. */
export async function countEmailOutcomes(
  tx: Tx,
  rows: SQL,
  options: ImportOptions | null,
): Promise<ImportCounts['newsletters']> {
  const groups = await queryRows<Facts & { count: number }>(
    tx,
    sql`select member ->> 'mail' as mail, coalesce((member ->> 'confirmed')::boolean, false) as confirmed,
        coalesce((member ->> 'paying')::boolean, false) as paying, member -> 'newsletters' as newsletters,
        'complimentary' = any(changes) as complimentary, count(*)::int as count
      from member_import_rows where ${rows} and outcome = 'new' group by 1, 2, 3, 4, 5`,
  )
  return (await readTargets(tx)).map(({ name, target }) => {
    const counts = new Map<EmailOutcome, number>()
    for (const { count, ...member } of groups) {
      const outcome = emailOutcomeOf(member, target, options)
      counts.set(outcome, (counts.get(outcome) ?? 0) + count)
    }
    return {
      name,
      outcomes: emailOutcomes.flatMap((outcome) => {
        const count = counts.get(outcome)
        return count ? [{ outcome, count }] : []
      }),
    }
  })
}
