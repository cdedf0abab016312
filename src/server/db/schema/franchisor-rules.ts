import { date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { FranchisorRule, RuleTopic } from '#shared/domain/franchisor-rules.ts'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** The franchisor's rules as a reader recorded them, one row per topic. */
export const franchisorRules = pgTable(
  'franchisor_rules',
  {
    userId: userId(),
    topic: text('topic').$type<RuleTopic>().notNull(),
    rule: text('rule').$type<FranchisorRule>().notNull(),
    /** The franchisor's answer, in the reader's words. */
    note: text('note').notNull(),
    saidOn: date('said_on', { mode: 'string' }),
    /** When the reader recorded it, by the reader's device; never in the future. */
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.topic] })],
)
