import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentDocument, importedPosts, issues, postImportItems, postImports, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { publishDocument } from '#server/features/publishing/documents/publish-document.ts'
import { createDocument, saveDocument } from '#server/features/publishing/documents/write-document.ts'
import { readParts } from '#server/media/parts.ts'
import { adminStartPostImportCall, type PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { problemsOf } from '#shared/contracts/publishing/publishable.ts'
import { AppError } from '#shared/errors.ts'
import type { FetchFile } from './fetch-file.ts'
import { countImages, importImages } from './import-images.ts'
import { openPostThread, type PostThread } from './open-post-thread.ts'
import { isUnclaimed, openStatuses, type PostImportRow } from './post-imports.ts'
import { PostFileError, type PostInfo } from './source-post.ts'

type RunDeps = Pick<Deps, 'database' | 'clock' | 'store' | 'logger'> & {
  fetchFile: FetchFile
  /** Default: reads the file in a thread of its own. */
  openFile?: typeof openPostThread
}

/** A node that hasn't reported for this long has stopped; another continues. */
const staleMs = 2 * 60_000
const heartbeatMs = 20_000
const maxNotes = 50
const { roles } = adminStartPostImportCall

/** Checks or imports what is waiting, and continues what a stopped node left. */
export async function runPostImports(deps: RunDeps): Promise<void> {
  const { db } = deps.database
  for (;;) {
    const [claimed] = await db
      .update(postImports)
      .set({ heartbeatAt: deps.clock() })
      .where(and(inArray(postImports.status, openStatuses), isUnclaimed(deps.clock(), staleMs)))
      .returning()
    if (!claimed) return
    await runClaimed(deps, claimed)
  }
}

async function runClaimed(deps: RunDeps, row: PostImportRow) {
  const { db } = deps.database
  const isThis = and(eq(postImports.id, row.id), eq(postImports.status, row.status))
  const beat = () => db.update(postImports).set({ heartbeatAt: deps.clock() }).where(isThis)
  const timer = setInterval(() => void beat().catch(() => {}), heartbeatMs)
  const directory = await mkdtemp(join(tmpdir(), 'posts-'))
  try {
    const path = join(directory, 'file')
    await pipeline(readParts(deps.store, row.id, row.parts), createWriteStream(path, { mode: 0o600 }))
    const file = await (deps.openFile ?? openPostThread)(path, row.fileName)
    try {
      await db.update(postImports).set({ source: file.source, total: file.posts.length }).where(isThis)
      const isComplete =
        row.status === 'checking' ? await checkPosts(deps, row, file) : await importPosts(deps, row, file)
      if (!isComplete) return
      const status = row.status === 'checking' ? 'checked' : 'finished'
      await db.update(postImports).set({ status, heartbeatAt: null, finishedAt: deps.clock() }).where(isThis)
    } finally {
      await file.close()
    }
  } catch (error) {
    const isKnown = error instanceof PostFileError
    if (!isKnown) deps.logger.error({ err: error, importId: row.id }, 'importing posts failed')
    const problem = isKnown ? error.message : 'Something went wrong on our end. Upload the file again.'
    await db.update(postImports).set({ status: 'failed', problem, finishedAt: deps.clock() }).where(isThis)
  } finally {
    clearInterval(timer)
    await rm(directory, { recursive: true, force: true })
  }
}

type Item = Omit<PostImportItem, 'position'>

/** @returns false if it was canceled meanwhile */
async function record(db: Db | Tx, row: PostImportRow, position: number, { title, ...item }: Item): Promise<boolean> {
  const values = { ...item, title: title.slice(0, 300) || 'Untitled post', notes: item.notes.slice(0, maxNotes) }
  const [running] = await db
    .update(postImports)
    .set({ done: position + 1 })
    .where(and(eq(postImports.id, row.id), eq(postImports.status, row.status)))
    .returning({ id: postImports.id })
  if (!running) return false
  await db
    .insert(postImportItems)
    .values({ ...values, importId: row.id, position })
    .onConflictDoUpdate({ target: [postImportItems.importId, postImportItems.position], set: values })
  return true
}

/** A post whose draft was deleted can be imported again. */
const isItsDrop = and(eq(contentDocument.kind, 'issue'), eq(contentDocument.id, importedPosts.documentId))

async function readKnown(db: Db, source: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: importedPosts.sourceId, documentId: importedPosts.documentId })
    .from(importedPosts)
    .innerJoin(contentDocument, isItsDrop)
    .where(eq(importedPosts.source, source))
  return new Map(rows.map(({ id, documentId }) => [id, documentId]))
}

/** The dry run: converts every post, fetches nothing and writes no drop. */
async function checkPosts(deps: RunDeps, row: PostImportRow, file: PostThread): Promise<boolean> {
  const { db } = deps.database
  const known = await readKnown(db, file.source)
  const seen = new Set<string>()
  for (const [position, post] of file.posts.entries()) {
    const item = seen.has(post.id)
      ? { title: post.title, result: 'failed' as const, documentId: null, notes: ['The file has this post twice'] }
      : await checkPost(deps, post, position, file, known.get(post.id) ?? null)
    seen.add(post.id)
    if (!(await record(db, row, position, item))) return false
  }
  return true
}

async function checkPost(
  deps: RunDeps,
  post: PostInfo,
  position: number,
  file: PostThread,
  documentId: string | null,
): Promise<Item> {
  const { title } = post
  if (documentId) return { title, result: 'known', documentId, notes: [] }
  try {
    const { markdown, notes, pictures } = await file.convert(position)
    const { toFetch, missing } = await countImages(pictures, post.folder, file.readImage)
    const built = await file.build(position, markdown)
    const images = [
      ...(toFetch > 0 ? [`Images to fetch from other servers: ${toFetch}`] : []),
      ...(missing > 0 ? [`Images that aren’t in the file: ${missing}`] : []),
    ]
    const stays = reasonToStayDraft(post, deps.clock())
    const problems = stays === null ? problemsOfDraft(built.draft, { mayHaveImages: missing === 0 }) : [stays]
    const all = [...draftNotes(problems), ...notes, ...images, ...built.notes]
    return { title, result: 'new', documentId: null, notes: all }
  } catch (error) {
    return { title, result: 'failed', documentId: null, notes: [reasonOf(error)] }
  }
}

function reasonToStayDraft({ hiddenBecause, publishedAt }: PostInfo, now: Date): string | null {
  if (hiddenBecause !== null) return hiddenBecause
  if (publishedAt === null) return 'it has no date that we can read'
  return publishedAt > now ? 'its date is in the future' : null
}

const draftNotes = (reasons: readonly string[]) =>
  reasons.length > 0 ? [`Stays a draft: ${[...new Set(reasons)].slice(0, 5).join('. ')}`] : []

/** What the editor would point out. Images that are still at the source are uploaded before. */
const problemsOfDraft = (draft: IssueDraft, { mayHaveImages }: { mayHaveImages: boolean }): string[] =>
  problemsOf('issue', draft)
    .map(({ message }) => message)
    .filter((message) => !(mayHaveImages && message.endsWith('isn’t one of your uploads')))

const reasonOf = (error: unknown): string => {
  if (error instanceof PostFileError || error instanceof AppError) return error.message
  return error instanceof Error ? `It can’t be converted: ${error.message.slice(0, 200)}` : 'It can’t be converted'
}

async function importPosts(deps: RunDeps, row: PostImportRow, file: PostThread): Promise<boolean> {
  const { db } = deps.database
  const editor = await readEditor(db, row)
  const items = new Map(
    (await db.select().from(postImportItems).where(eq(postImportItems.importId, row.id))).map((item) => [
      item.position,
      item,
    ]),
  )
  for (const [position, post] of file.posts.entries()) {
    const before = items.get(position)
    // Done before the import was stopped. Posts that failed are tried again.
    if (before?.result === 'imported' || before?.result === 'published') continue
    if (!(await mayContinue(deps, row))) {
      await stopForLostRole(deps, row, editor)
      return false
    }
    if (!(await importPost(deps, row, file, { post, position, editor }))) return false
  }
  return true
}

/** Whoever started it may have lost the role or been disabled meanwhile. Another editor can continue it. */
async function mayContinue({ database, clock }: RunDeps, { createdById }: PostImportRow): Promise<boolean> {
  const role = createdById && (await readActiveRole(database.db, createdById, clock()))
  return role ? roles.includes(role) : false
}

async function stopForLostRole({ database, clock }: RunDeps, row: PostImportRow, editor: Editor) {
  const now = clock()
  await database.db.transaction(async (tx) => {
    const [stopped] = await tx
      .update(postImports)
      .set({ status: 'canceled', finishedAt: now })
      .where(and(eq(postImports.id, row.id), eq(postImports.status, row.status)))
      .returning({ id: postImports.id })
    if (!stopped) return
    const note = `${row.fileName}: whoever started it no longer has the role`
    await recordAdminEvent(tx, editor, { event: 'posts_import_canceled', note, now })
  })
}

async function readEditor(db: Db, row: PostImportRow): Promise<Editor> {
  const userId = row.createdById ?? ''
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return { userId, email: user?.email ?? '', name: displayName(row.createdBy) }
}

class Canceled extends Error {}

/** Imports a post and records it in one transaction. @returns false if the import was canceled meanwhile */
async function importPost(
  deps: RunDeps,
  row: PostImportRow,
  file: PostThread,
  { post, position, editor }: { post: PostInfo; position: number; editor: Editor },
): Promise<boolean> {
  const { db } = deps.database
  const { title } = post
  try {
    const known = await readKnownPost(db, file.source, post.id)
    if (known) return await record(db, row, position, { title, result: 'known', documentId: known, notes: [] })
    const { notes, ...converted } = await file.convert(position)
    const source = { readImage: file.readImage, fetchFile: deps.fetchFile }
    const withImages = await importImages(deps, editor, source, { ...converted, folder: post.folder, title })
    const built = await file.build(position, withImages.markdown)
    const stays = reasonToStayDraft(post, deps.clock())
    const wantsPublishing = row.publish && stays === null
    await db.transaction(async (tx) => {
      const drop = { draft: built.draft, source: file.source, post, wantsPublishing }
      const written = await writeDrop(tx, deps, editor, drop)
      const stay = row.publish && stays !== null ? draftNotes([stays]) : []
      const all = [...stay, ...notes, ...withImages.notes, ...built.notes, ...written.notes]
      if (!(await record(tx, row, position, { title, ...written, notes: all }))) throw new Canceled()
    })
    return true
  } catch (error) {
    if (error instanceof Canceled) return false
    if (!(error instanceof PostFileError || error instanceof AppError)) {
      deps.logger.warn({ err: error, importId: row.id }, 'a post wasn’t imported')
    }
    return record(db, row, position, { title, result: 'failed', documentId: null, notes: [reasonOf(error)] })
  }
}

const isPost = (source: string, sourceId: string) =>
  and(eq(importedPosts.source, source), eq(importedPosts.sourceId, sourceId))

async function readKnownPost(db: Db, source: string, sourceId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ documentId: importedPosts.documentId })
    .from(importedPosts)
    .innerJoin(contentDocument, isItsDrop)
    .where(isPost(source, sourceId))
  return found?.documentId
}

type Drop = { draft: IssueDraft; source: string; post: PostInfo; wantsPublishing: boolean }

async function writeDrop(
  tx: Tx,
  { database, clock }: RunDeps,
  editor: Editor,
  { draft, source, post, wantsPublishing }: Drop,
): Promise<Pick<Item, 'result' | 'documentId' | 'notes'>> {
  const within = { database: { ...database, db: tx as unknown as Db }, clock }
  const { id, version } = await createDocument(within, editor, { kind: 'issue', title: draft.title, date: '' })
  const isTaken = (await tx.$count(issues, eq(issues.slug, draft.slug))) > 0
  const document = { ...draft, slug: isTaken || !draft.slug ? id : draft.slug }
  const saved = await saveDocument(within, editor, { kind: 'issue', id, version, document })
  const existing = tx.select({ id: contentDocument.id }).from(contentDocument).where(isItsDrop)
  await tx.delete(importedPosts).where(and(isPost(source, post.id), notExists(existing)))
  await tx
    .insert(importedPosts)
    .values({ source, sourceId: post.id, documentId: id, slug: post.slug.toLowerCase(), importedAt: clock() })
  const imported = { result: 'imported' as const, documentId: id }
  if (!wantsPublishing) return { ...imported, notes: [] }
  try {
    await publishDocument(within, editor, { kind: 'issue', id, version: saved.version })
    // In the order in which readers got it at the source.
    await tx
      .update(issues)
      .set({ publishedAt: sql`least(${issues.publishedAt}, ${post.publishedAt?.toISOString()}::timestamptz)` })
      .where(eq(issues.id, id))
    return { result: 'published', documentId: id, notes: [] }
  } catch (error) {
    const problems = (error as { extra?: { problems?: { message: string }[] } }).extra?.problems ?? []
    if (!(error instanceof AppError)) throw error
    const reasons = problems.map(({ message }) => message)
    return { ...imported, notes: draftNotes(reasons.length > 0 ? reasons : [error.message]) }
  }
}
