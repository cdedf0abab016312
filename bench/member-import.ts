/**
 * `npm run bench -- member-import [members]`: time to upload, check and import a file of 100,000 members on PostgreSQL,
 * then again with the same file, and the peak memory of the process.
 */
import { eq, sql } from 'drizzle-orm'
import { readConfig } from '#server/config/config.ts'
import { createSecretBox } from '#server/config/secret-box.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { memberImports } from '#server/db/schema/index.ts'
import { memberImportSteps } from '#server/features/operations/member-import/run-import.ts'
import { storeImportFile } from '#server/features/operations/member-import/store-file.ts'
import { createLogger } from '#server/http/logger.ts'
import { continueRun } from '#server/jobs/runs.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 100_000)

async function* file() {
  yield Buffer.from(
    'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers\n',
  )
  for (let n = 0; n < members; n += 500) {
    const lines = Array.from({ length: Math.min(500, members - n) }, (_, k) => {
      const i = n + k
      const joined = new Date(Date.UTC(2020, 0, 1) + i * 1_500_000).toISOString()
      return `${i},reader.${i}@franchise${i % 997}.test,Reader Number ${i},,${i % 20 !== 0},${i % 100 === 0},cus_${i},${joined},,"news,${i % 2 ? 'food' : 'fitness'}",\n`
    })
    yield Buffer.from(lines.join(''))
  }
}

const postgres = await startPostgres({ durable: true })
const database = await openPostgres(postgres.url)
const { db } = database
try {
  const deps = {
    config: readConfig({ NODE_ENV: 'test' }),
    database: { ...database, db: database.background },
    clock: () => new Date(),
    secrets: createSecretBox('a secret for the benchmark, long enough'),
    logger: createLogger('silent'),
    enqueue: async () => {},
  }
  const who = { userId: '', email: 'owner@example.test' }
  const options = {
    fillExisting: true,
    unsubscribeExisting: true,
    complimentaryUntil: '2030-01-01',
    vouchConfirmed: true,
    invite: false,
    tag: 'moved',
  }
  const rows: Record<string, unknown>[] = []
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const result = await work()
    const seconds = (performance.now() - startedAt) / 1000
    rows.push({ what, seconds: round(seconds, 1), 'peak MB': round(process.resourceUsage().maxRSS / 1024, 0) })
    return result
  }
  const owner = crypto.randomUUID()
  await db.execute(
    sql`insert into auth.users (id, email, created_at, updated_at) values (${owner}::uuid, ${who.email}, now(), now())`,
  )
  await db.execute(sql`insert into user_roles (user_id, role) values (${owner}::uuid, 'admin')`)
  for (const turn of ['first time', 'again']) {
    const actor = { ...who, userId: owner }
    const id = await timed(`upload, ${turn}`, () =>
      storeImportFile(deps, actor, { name: 'members.csv', bytes: file() }),
    )
    await db.update(memberImports).set({ status: 'checking', options }).where(eq(memberImports.id, id))
    await timed(`check, ${turn}`, () => continueRun(deps, memberImportSteps(deps), id))
    await db.update(memberImports).set({ status: 'running', cursor: 0 }).where(eq(memberImports.id, id))
    await timed(`import, ${turn}`, () => continueRun(deps, memberImportSteps(deps), id))
    const [found] = await queryRows(db, sql`select counts from member_imports where id = ${id}::uuid`)
    console.log(JSON.stringify(found))
  }
  console.log(`\n${members} members`)
  console.table(rows)
} finally {
  await database.close()
  await postgres.stop()
}
