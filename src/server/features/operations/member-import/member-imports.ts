import { and, asc, desc, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { memberImportRows, memberImports, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { csvHeader, csvRow } from '#server/http/csv.ts'
import type {
  adminCheckMembersCall,
  adminMemberImportErrorsCall,
  EmailOutcome,
  ImportExample,
  ImportOptions,
  ImportStatus,
  MemberImport,
} from '#shared/contracts/operations/member-import.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatList } from '#shared/domain/format.ts'
import { unansweredColumns } from '#shared/domain/import-fields.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'
import { AppError } from '#shared/errors.ts'
import { emailOutcomeOf, readTargets } from './email-outcomes.ts'
import { countImported, endImport, memberImportRun } from './run-import.ts'

type ImportDeps = Pick<Deps, 'database' | 'clock' | 'enqueue'>

const maxListed = 20
const examplesPerOutcome = 5
const maxErrorLines = 100_000

const columns = { row: memberImports, createdBy: editorLabel(memberImports.createdBy, memberImports.createdById) }

export async function listImports(db: Db): Promise<MemberImport[]> {
  const rows = await db
    .select(columns)
    .from(memberImports)
    .where(ne(memberImports.status, 'uploading'))
    .orderBy(desc(memberImports.createdAt), desc(memberImports.id))
    .limit(maxListed)
  return rows.map(asImport)
}

/** @throws AppError not_found */
export async function readImport(db: Db | Tx, id: string): Promise<MemberImport> {
  const [found] = await db.select(columns).from(memberImports).where(eq(memberImports.id, id))
  if (!found) throw new AppError('not_found')
  return asImport(found)
}

function asImport({
  row,
  createdBy,
}: {
  row: typeof memberImports.$inferSelect
  createdBy: string | null
}): MemberImport {
  const { createdAt, finishedAt, createdById: _id, updatedAt: _at, attempt: _attempt, ...rest } = row
  return {
    ...rest,
    status: row.status as ImportStatus,
    createdBy,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

/** The first lines of each outcome, after a check. Pages ask often, and looking for an outcome that no line has reads them all. */
export async function readExamples(
  db: Db,
  { id: importId, options, status, counts }: Pick<MemberImport, 'id' | 'options' | 'status' | 'counts'>,
): Promise<ImportExample[]> {
  if (status !== 'checked' || !counts) return []
  const outcomes = (['new', 'changed', 'unchanged'] as const).filter((outcome) => counts[outcome] > 0)
  const targets = await readTargets(db)
  const rows = await Promise.all([
    ...outcomes.map((outcome) =>
      firstRows(db, importId, sql`${memberImportRows.outcome} = ${outcome}`, examplesPerOutcome),
    ),
    counts.refused > 0 ? firstRows(db, importId, isNotNull(memberImportRows.problem), examplesPerOutcome) : [],
  ])
  return rows.flat().map((row) => asExample(row, targets, options))
}

const firstRows = (db: Db, importId: string, which: SQL | undefined, limit: number) =>
  db
    .select()
    .from(memberImportRows)
    .where(and(eq(memberImportRows.importId, importId), which))
    .orderBy(asc(memberImportRows.line))
    .limit(limit)

type Row = typeof memberImportRows.$inferSelect
type Targets = Awaited<ReturnType<typeof readTargets>>

const asExample = (
  { line, email, outcome, problem, changes, member }: Row,
  targets: Targets,
  options: ImportOptions | null,
): ImportExample => ({
  line,
  email,
  outcome: problem === null ? ((outcome ?? 'unchanged') as ImportExample['outcome']) : 'refused',
  detail: problem ?? describe(outcome, changes ?? [], member, targets, options),
})

const changeNames: Record<string, string> = {
  name: 'name',
  tags: 'tags',
  note: 'note',
  answers: 'business profile',
  preferences: 'answers',
  fields: 'fields',
  stripeCustomer: 'Stripe customer',
  unsubscribe: 'unsubscribed',
  suppress: 'suppressed',
  complimentary: 'complimentary access',
}

/** Which emails a new member gets, now and later. */
function describeMail(
  changes: readonly string[],
  member: ImportedMember,
  targets: Targets,
  options: ImportOptions | null,
) {
  if (member.mail !== 'subscribed') return `Gets no email (${member.mail})`
  const facts = { ...member, complimentary: changes.includes('complimentary') }
  const all = targets.map(({ name, target }) => {
    const outcome = emailOutcomeOf(facts, target, options)
    if (target === 'drops')
      return { outcome, name: outcome === 'free' || outcome === 'unconfirmed' ? 'the free edition' : 'every drop' }
    return { outcome, name: target === 'news' ? 'product news' : `“${name}”` }
  })
  const gets = (when: string, ...outcomes: EmailOutcome[]) => {
    const names = all.flatMap(({ outcome, name }) => (outcomes.includes(outcome) ? [name] : []))
    return names.length > 0 ? [`Gets ${formatList(names)}${when}`] : []
  }
  const lacksDrops = all.some(({ outcome }) => outcome === 'no_free_edition')
  return [
    ...gets('', 'gets', 'free'),
    ...gets(' once confirmed', 'unconfirmed'),
    ...gets(' once the subscription is linked', 'unlinked'),
    ...(lacksDrops ? ['No drops'] : []),
  ].join(' · ')
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function describe(
  outcome: string | null,
  changes: readonly string[],
  member: ImportedMember | null,
  targets: Targets,
  options: ImportOptions | null,
): string {
  if (outcome === 'new' && member) {
    const mail = describeMail(changes, member, targets, options)
    const joined = member.joinedAt ? [`joined ${day.format(new Date(member.joinedAt))}`] : []
    const tags = member.tags.map((tag) => `“${tag}”`)
    const unlinkable =
      member.unlinkable && !changes.includes('complimentary')
        ? ['paid, but no Stripe customer to link; no access unless you give it']
        : []
    return [mail, ...unlinkable, ...joined, ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : [])].join(' · ')
  }
  const named = changes.map((change) => changeNames[change] ?? change).join(', ')
  if (outcome === 'changed') return named
  return named ? `Left as is; differs in: ${named}` : 'Same as stored'
}

/**
 * Starts a check, also again with another mapping. Nothing about members changes.
 * @throws AppError not_found, import_ended, validation_failed for a column that may say who gets email and has no meaning
 */
export async function checkImport(
  { database, clock, enqueue }: ImportDeps,
  { id, source, mapping, options }: z.output<typeof adminCheckMembersCall.input>,
): Promise<MemberImport> {
  return database.db.transaction(async (tx) => {
    const found = await requireStatus(tx, id, ['uploaded', 'checking', 'checked'])
    const [asked] = unansweredColumns({ ...found, mapping }, options.leftOut ?? [])
    if (asked !== undefined) {
      const message = `The column “${found.header[asked]}” seems to say who gets email. Choose what it means, or leave it out.`
      throw new AppError('validation_failed', { message })
    }
    await tx
      .update(memberImports)
      .set({
        source,
        mapping,
        options,
        status: 'checking',
        attempt: sql`${memberImports.attempt} + 1`,
        linesRead: 0,
        lastLine: null,
        cursor: 0,
        counts: null,
        updatedAt: clock(),
      })
      .where(eq(memberImports.id, id))
    await tx.delete(memberImportRows).where(eq(memberImportRows.importId, id))
    await enqueue(tx, memberImportRun, { id })
    return readImport(tx, id)
  })
}

/** Imports what was checked. A second call changes nothing. @throws AppError not_found, import_ended */
export async function startImport({ database, clock, enqueue }: ImportDeps, who: Actor, id: string) {
  return database.db.transaction(async (tx) => {
    const found = await requireStatus(tx, id, ['checked', 'running', 'finished'])
    if (found.status !== 'checked') return readImport(tx, id)
    const now = clock()
    // The staff log names the person who started it.
    const running = { status: 'running', cursor: 0, updatedAt: now, ...createdBy(who) }
    await tx.update(memberImports).set(running).where(eq(memberImports.id, id))
    const note = `${found.fileName}: ${found.counts?.new ?? 0} new expected`
    await recordAdminEvent(tx, who, { event: 'members_import_started', note, now })
    await enqueue(tx, memberImportRun, { id })
    return readImport(tx, id)
  })
}

/** @throws AppError not_found */
export async function cancelImport({ database, clock }: ImportDeps, who: Actor, id: string) {
  return database.db.transaction(async (tx) => {
    const found = await requireStatus(tx, id, null)
    if (found.status === 'finished' || found.status === 'canceled') return readImport(tx, id)
    const now = clock()
    const counts = found.status === 'running' ? await countImported(tx, found) : null
    await endAs(tx, id, { status: 'canceled', counts, now })
    await recordAdminEvent(tx, who, { event: 'members_import_canceled', note: found.fileName, now })
    return readImport(tx, id)
  })
}

async function requireStatus(tx: Tx, id: string, statuses: readonly ImportStatus[] | null) {
  const [found] = await tx.select().from(memberImports).where(eq(memberImports.id, id)).for('update')
  if (!found || found.status === 'uploading') throw new AppError('not_found')
  if (statuses && !statuses.some((status) => status === found.status)) throw new AppError('import_ended')
  return found
}

/** Refused lines, or all. The addresses come from the file, so cells are protected against formulas. */
export async function readErrors(
  db: Db,
  { id, all }: z.output<typeof adminMemberImportErrorsCall.input>,
): Promise<z.input<typeof adminMemberImportErrorsCall.output>> {
  const { options } = await readImport(db, id)
  const targets = await readTargets(db)
  const rows = await firstRows(db, id, all ? undefined : isNotNull(memberImportRows.problem), maxErrorLines + 1)
  const lines = rows.slice(0, maxErrorLines).map((row) => {
    const { line, email, outcome, detail } = asExample(row, targets, options)
    return csvRow([String(line), email, ...(all ? [outcome] : []), detail])
  })
  const header = ['Line', 'Address', ...(all ? ['Result', 'Details'] : ['Reason'])]
  return { csv: csvHeader(header) + lines.join(''), isComplete: rows.length <= maxErrorLines }
}

async function endAs(tx: Tx, id: string, end: Parameters<typeof endImport>[2]): Promise<void> {
  const ended = await endImport(tx, id, end)
  await tx.update(memberImports).set(ended).where(eq(memberImports.id, id))
}

/** Deletes personal data that is no longer needed. */
export async function deleteOldImportData({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>) {
  const now = clock().getTime()
  const before = (ms: number) => lt(memberImports.updatedAt, new Date(now - ms))
  await db.delete(memberImports).where(and(eq(memberImports.status, 'uploading'), before(dayMs)))
  const forgotten = await db
    .select({ id: memberImports.id })
    .from(memberImports)
    .where(and(inArray(memberImports.status, ['uploaded', 'checked']), before(7 * dayMs)))
  for (const { id } of forgotten) {
    await db.transaction((tx) => endAs(tx, id, { status: 'canceled', counts: null, now: new Date(now) }))
  }
  const old = db
    .select({ id: memberImports.id })
    .from(memberImports)
    .where(and(inArray(memberImports.status, ['finished', 'canceled']), before(30 * dayMs)))
  await db.delete(memberImportRows).where(inArray(memberImportRows.importId, old))
}

/** Removes a deleted account's address from the lines of all imports, unless the account may be someone else's. */
export async function forgetImportedAddress(tx: Tx, userId: string): Promise<void> {
  const address = tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), or(isNotNull(users.emailConfirmedAt), users.createdByAdmin)))
  await tx.delete(memberImportRows).where(inArray(memberImportRows.email, address))
}
