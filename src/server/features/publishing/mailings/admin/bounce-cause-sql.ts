import { type SQL, sql } from 'drizzle-orm'
import type { BounceCause } from '#shared/contracts/publishing/mailing-report.ts'

/**
 * The first cause whose pattern the receiving server's response matches: enhanced status codes of RFC 3463, or the words
 * that common servers use.
 */
const tooLarge = String.raw`[45]\.3\.4|[45]\.2\.3|too (large|big)|exceeds .*size`
const patterns: readonly [BounceCause, string][] = [
  ['mailbox_full', String.raw`[45]\.2\.2|quota|mailbox (is )?full`],
  ['too_large', tooLarge],
  ['blocked', String.raw`[45]\.7\.\d|spam|block(ed|list)|blacklist|policy|reputation|dmarc`],
  [
    'unknown_address',
    String.raw`5\.1\.(1|3|6|10)|(user|recipient|address|mailbox|account).*(unknown|not (found|exist)|n.t exist|invalid|rejected|unavailable|disabled)|(unknown|no such|invalid) (user|recipient|address|mailbox)`,
  ],
  [
    'unreachable',
    String.raw`[45]\.4\.\d|5\.1\.2|(host|domain).*(unknown|not found)|unrouteable|time(d )?out|connection|network`,
  ],
]

/** The `BounceCause` of a delivery, by its first report of a hard bounce or else of a soft one. */
export const bounceCauseSql = (deliveryId: SQL): SQL => sql`coalesce((
  select case when report.type = 'blocked' and report.detail ~* ${tooLarge} then 'too_large'
    when report.type = 'blocked' then 'blocked' ${sql.join(
      patterns.map(([cause, pattern]) => sql`when report.detail ~* ${pattern} then ${cause}`),
      sql` `,
    )} else 'other' end
  from email_events report
  where report.delivery_id = ${deliveryId} and report.type in ('hard_bounce', 'soft_bounce', 'blocked')
  order by report.type = 'hard_bounce' desc, report.occurred_at, report.id
  limit 1), 'other')`
