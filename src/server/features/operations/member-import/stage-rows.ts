import { sql } from 'drizzle-orm'
import { nextTurn } from '#server/db/batch-writes.ts'
import type { Db } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import type { memberImportRows, memberImports } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readNewsletterRows } from '#server/features/publishing/newsletters/read-newsletters.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { readQuestions } from '#server/features/reader/preferences/question-store.ts'
import { RunMoved, type RunStep } from '#server/jobs/runs.ts'
import type { DateOrder } from '#shared/domain/read-import-date.ts'
import { createDateOrderDetector, readImportRow } from '#shared/domain/read-import-row.ts'
import type { FileEncoding } from './file-encoding.ts'
import { readCsv } from './read-csv.ts'
import { readImportText } from './store-file.ts'

type StageDeps = Pick<Deps, 'database' | 'clock'>
type Import = typeof memberImports.$inferSelect
type Row = typeof memberImportRows.$inferInsert

/** Reads the file into rows, after the last stored line. */
export async function stageRows(
  { database: { db }, clock }: StageDeps,
  run: RunStep<Import>,
  batchSize: number,
): Promise<void> {
  const found = run.row
  const { id, encoding, delimiter, source, mapping } = found
  const now = clock()
  const format = {
    source,
    mapping,
    header: found.header,
    now,
    fileName: found.fileName,
    fields: await readCustomFields(db),
    publication: { questions: await readQuestions(db) },
    newsletters: (await readNewsletterRows(db)).filter(({ retiredAt }) => retiredAt === null),
    ...(await readDateFormat(db, found)),
  }
  let batch: Row[] = []
  let isHeader = true
  let lastLine = 0
  for await (const { line, values, problem } of readCsv(readImportText(db, id, encoding as FileEncoding), delimiter)) {
    lastLine = Math.max(line, lastLine)
    if (isHeader && values) {
      isHeader = false
      continue
    }
    if (line <= found.linesRead) continue
    if (values === null) batch.push({ importId: id, line, email: '', problem })
    else if (values.some((value) => value.trim() !== '')) {
      const row = readImportRow(values, format)
      batch.push(
        row.member
          ? { importId: id, line, email: row.member.email, member: row.member }
          : { importId: id, line, email: row.email.replaceAll('\u0000', ''), problem: row.problem },
      )
    }
    if (batch.length < batchSize) continue
    await storeBatch(run, found, batch, clock())
    batch = []
    await nextTurn()
  }
  await storeBatch(run, found, batch, clock(), lastLine)
}

/** The publisher's choice, or else what the dates of the whole file show. */
async function readDateFormat(db: Db, { id, encoding, delimiter, mapping, options }: Import) {
  const timeZone = await readTimeZone(db)
  if (options?.dateOrder) return { timeZone, dateOrder: options.dateOrder }
  const detector = createDateOrderDetector(mapping)
  for await (const { values } of readCsv(readImportText(db, id, encoding as FileEncoding), delimiter)) {
    if (values) detector.read(values)
  }
  const dateOrder: DateOrder = detector.end()
  return { timeZone, dateOrder }
}

async function storeBatch(run: RunStep<Import>, { id, attempt }: Import, batch: Row[], now: Date, lastLine?: number) {
  const { linesRead: known } = run.row
  await run.commit(async (tx, current) => {
    if (current.attempt !== attempt || current.linesRead !== known) throw new RunMoved()
    if (batch.length > 0) {
      await tx.execute(sql`insert into member_import_rows (import_id, line, email, member, problem)
        select ${id}::uuid, r.line, r.email, r.member, r.problem
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as r (line int, email text, member jsonb, problem text)
        on conflict do nothing`)
    }
    // Rows of duplicate addresses are decided once all lines are there.
    if (lastLine !== undefined) await refuseDuplicates(tx, id)
    const linesRead = lastLine ?? batch.at(-1)?.line ?? current.linesRead
    return { linesRead, updatedAt: now, ...(lastLine !== undefined && { lastLine }) }
  })
}

/** An address counts once, with its first line. If the lines differ about email, the strictest counts. */
async function refuseDuplicates(db: Pick<Db, 'execute'>, importId: string): Promise<void> {
  await db.execute(sql`with strictest as (
      select email, min(line) as line,
        (array['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained'])[max(array_position(
          array['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained'], member ->> 'mail'))] as mail
      from member_import_rows where import_id = ${importId}::uuid and problem is null
      group by email having count(*) > 1
    )
    update member_import_rows r set
      problem = case when r.line = s.line then null else 'This address is already in line ' || s.line || '.' end,
      member = case when r.line = s.line
        then r.member || jsonb_build_object('mail', s.mail, 'confirmed', (r.member ->> 'confirmed')::boolean and s.mail = 'subscribed')
      end
    from strictest s where r.import_id = ${importId}::uuid and r.email = s.email and r.problem is null`)
}
