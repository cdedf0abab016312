import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { franchisorRules } from '#server/db/schema/index.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  franchisorRulesCall,
  type RecordedRule,
  setFranchisorRuleCall,
} from '#shared/contracts/reader/franchisor-rules.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'

type RuleChange = z.output<typeof setFranchisorRuleCall.input>

type Row = typeof franchisorRules.$inferSelect

const toRecorded = ({ topic, rule, note, saidOn, at }: Row): RecordedRule => ({
  topic,
  rule,
  note,
  saidOn,
  at: at.toISOString(),
})

async function listRules(db: Db, userId: string): Promise<RecordedRule[]> {
  const rows = await db.select().from(franchisorRules).where(eq(franchisorRules.userId, userId))
  return rows.map(toRecorded)
}

/** Keeps the newest change of a topic. Returns what is stored. */
async function recordRule(
  db: Db,
  userId: string,
  { topic, rule, note, saidOn, at }: RuleChange,
  now: Date,
): Promise<RecordedRule> {
  const row = { userId, topic, rule, note, saidOn, at: changeInstant(at, now) }
  const [written] = await db
    .insert(franchisorRules)
    .values(row)
    .onConflictDoUpdate({
      target: [franchisorRules.userId, franchisorRules.topic],
      set: row,
      setWhere: sql`excluded.at > ${franchisorRules.at}`,
    })
    .returning()
  if (written) return toRecorded(written)
  const [stored] = await db
    .select()
    .from(franchisorRules)
    .where(and(eq(franchisorRules.userId, userId), eq(franchisorRules.topic, topic)))
  return stored ? toRecorded(stored) : toRecorded(row)
}

const franchisorRulesCalls = ({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] => [
  implement(franchisorRulesCall, async (_input, who) => ({ rules: await listRules(db, who.userId) })),
  implement(setFranchisorRuleCall, (change, who) => recordRule(db, who.userId, change, clock())),
]

export const franchisorRulesFeature: Feature = {
  calls: franchisorRulesCalls,
}
