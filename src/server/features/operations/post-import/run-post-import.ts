import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, notExists, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import {
  contentDocument,
  importedPosts,
  issues,
  postImportItems,
  type postImports,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { checkDocument } from '#server/features/publishing/documents/check-document.ts'
import { publishDocument } from '#server/features/publishing/documents/publish-document.ts'
import { createDocument, saveDocument } from '#server/features/publishing/documents/write-document.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { type Run, RunMoved, type RunStep } from '#server/jobs/runs.ts'
import { readParts } from '#server/media/parts.ts'
import { adminStartPostImportCall, type PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { errorsIn } from '#shared/contracts/publishing/publishable.ts'
import { AppError } from '#shared/errors.ts'
import { readersOf } from './build-draft.ts'
import type { FetchFile } from './fetch-file.ts'
import { importComments } from './import-comments.ts'
import { expectImages, importImages, isUploadedLater } from './import-images.ts'
import { openPostThread, type PostThread } from './open-post-thread.ts'
import { type PostImportRow, postImportRun } from './post-imports.ts'
import { expectedSlugs, PostFileError, type PostInfo } from './source-post.ts'

type RunDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'store' | 'logger'> & {
  fetchFile: FetchFile
  /** Default: reads the file in a thread of its own. */
  openFile?: typeof openPostThread
}

const maxNotes = 50
const { roles } = adminStartPostImportCall

type ImportStep = RunStep<PostImportRow>

/** A step opens the file, then checks or imports the posts that are left and commits each. */
export const postImportSteps = (deps: RunDeps): Run<typeof postImports> => ({
  kind: postImportRun,
  step: async (run) => {
    const directory = await mkdtemp(join(tmpdir(), 'posts-'))
    try {
      await runInDirectory(deps, run, directory)
      const status = run.row.status === 'checking' ? 'checked' : 'finished'
      await run.commit(async () => ({ status, finishedAt: deps.clock() }))
    } catch (error) {
      if (!(error instanceof PostFileError)) throw error
      await run.commit(async () => ({ status: 'failed', problem: error.message, finishedAt: deps.clock() }))
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
  failed: () => ({
    status: 'failed',
    problem: 'Something went wrong on our end. Upload the file again.',
    finishedAt: deps.clock(),
  }),
})

async function runInDirectory(deps: RunDeps, run: ImportStep, directory: string): Promise<void> {
  const path = join(directory, 'file')
  const { id, parts, fileName, status } = run.row
  await pipeline(readParts(deps.store, id, parts), createWriteStream(path, { mode: 0o600 }))
  const file = await (deps.openFile ?? openPostThread)(path, fileName)
  try {
    await run.commit(async () => ({ source: file.source, total: file.posts.length }))
    await (status === 'checking' ? checkPosts : importPosts)(deps, run, file)
  } finally {
    await file.close()
  }
}

type Item = Omit<PostImportItem, 'position'>

/** Stores what happened to a post. @returns what to store in the import's row */
async function record(tx: Tx, row: PostImportRow, position: number, { title, ...item }: Item) {
  const values = { ...item, title: title.slice(0, 300) || 'Untitled post', notes: item.notes.slice(0, maxNotes) }
  await tx
    .insert(postImportItems)
    .values({ ...values, importId: row.id, position })
    .onConflictDoUpdate({ target: [postImportItems.importId, postImportItems.position], set: values })
  return { done: position + 1 }
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

const isRepeated = ({ posts }: PostThread, position: number): boolean =>
  posts.findIndex(({ id }) => id === posts[position]?.id) < position

const withoutDrop = (title: string, result: 'failed' | 'known', documentId: string | null, note: string): Item => ({
  ...{ title, result, documentId, readers: null, notes: note === '' ? [] : [note] },
})
const repeatedPost = (title: string): Item => withoutDrop(title, 'failed', null, 'The file has this post twice')

/** The dry run: converts every post, fetches nothing and writes no drop. */
async function checkPosts(deps: RunDeps, run: ImportStep, file: PostThread): Promise<void> {
  const { db } = deps.database
  const known = await readKnown(db, file.source)
  for (const [position, post] of file.posts.entries()) {
    const item = isRepeated(file, position)
      ? repeatedPost(post.title)
      : await checkPost(deps, post, position, file, known.get(post.id) ?? null)
    await run.commit((tx, row) => record(tx, row, position, item))
  }
}

async function checkPost(
  deps: RunDeps,
  post: PostInfo,
  position: number,
  file: PostThread,
  documentId: string | null,
): Promise<Item> {
  const { title } = post
  try {
    const { length } = await file.comments(position)
    const answers = length > 0 ? [`Answers in the file: ${length}`] : []
    if (documentId) return withoutDrop(title, 'known', documentId, answers[0] ?? '')
    const converted = await file.convert(position)
    const { parts, toFetch, missing } = await expectImages(converted, post.folder, file.readImage)
    const { draft, notes } = await file.build(
      deps.config.settings.publication,
      position,
      parts,
      (await readSendingSettings(deps.database.db)).timeZone,
    )
    const images = [
      ...(toFetch > 0 ? [`Images and files to fetch from other servers: ${toFetch}`] : []),
      ...(missing > 0
        ? [`Images and files that aren’t in the file: ${missing}. Enter your old site’s address to fetch them`]
        : []),
    ]
    const reasons = await reasonsToStayDraft(deps.database.db, post, {
      ...{ id: '', draft, now: deps.clock(), blockers: converted.blockers },
      expectedDrops: expectedSlugs(file.posts, deps.clock()),
    })
    const all = [...draftNotes(reasons), ...answers, ...converted.notes, ...images, ...notes]
    return { title, result: 'new', documentId: null, readers: readersOf(draft), notes: all }
  } catch (error) {
    return withoutDrop(title, 'failed', null, reasonOf(error))
  }
}

/** Code in the text that keeps it a draft, and the file's drops, which links may lead to before they are published. */
type Decided = { blockers: readonly string[]; expectedDrops: ReadonlySet<string> }

/** Decides whether a post may be published, for the check and for the import. */
async function reasonsToStayDraft(
  db: Db | Tx,
  { hiddenBecause, publishedAt }: PostInfo,
  { id, draft, now, blockers, expectedDrops }: Decided & { id: string; draft: IssueDraft; now: Date },
): Promise<string[]> {
  if (hiddenBecause !== null) return [hiddenBecause]
  if (publishedAt === null) return ['it has no date that we can read']
  if (publishedAt > now) return ['its date is in the future']
  const times = { now, publishAt: now, expectedDrops }
  const problems = await checkDocument(db, { kind: 'issue', id }, await withFreeSlug(db, id, draft), times)
  if (blockers.length > 0) return [...blockers]
  return errorsIn(problems).flatMap(({ message }) => (isUploadedLater(message) ? [] : message))
}

/** An address that another drop has is left to publishing, which makes one. */
async function withFreeSlug(db: Db | Tx, id: string, draft: IssueDraft): Promise<IssueDraft> {
  const isTaken = (await db.$count(issues, eq(issues.slug, draft.slug))) > 0
  return { ...draft, slug: isTaken || !draft.slug ? id : draft.slug }
}

const draftNotes = (reasons: readonly string[]) =>
  reasons.length > 0 ? [`Stays a draft: ${[...new Set(reasons)].slice(0, 5).join('. ')}`] : []

const reasonOf = (error: unknown): string => {
  if (error instanceof PostFileError || error instanceof AppError) return error.message
  return error instanceof Error ? `It can’t be converted: ${error.message.slice(0, 200)}` : 'It can’t be converted'
}

async function importPosts(deps: RunDeps, run: ImportStep, file: PostThread): Promise<void> {
  const { db } = deps.database
  const editor = await readEditor(db, run.row)
  const items = new Map(
    (await db.select().from(postImportItems).where(eq(postImportItems.importId, run.row.id))).map((item) => [
      item.position,
      item,
    ]),
  )
  for (const [position, post] of file.posts.entries()) {
    const before = items.get(position)
    // Done before the import was stopped. Posts that failed are tried again.
    if (before?.result === 'imported' || before?.result === 'published') continue
    if (!(await mayContinue(deps, run.row))) await stopForLostRole(deps, run, editor)
    await importPost(deps, run, file, { post, position, editor })
  }
}

/** The person who started it may have lost the role or been disabled meanwhile. Another editor can continue it. */
async function mayContinue({ database, clock }: RunDeps, { createdById }: PostImportRow): Promise<boolean> {
  const role = createdById && (await readActiveRole(database.db, createdById, clock()))
  return role ? roles.includes(role) : false
}

async function stopForLostRole({ clock }: RunDeps, run: ImportStep, editor: Editor): Promise<never> {
  const now = clock()
  await run.commit(async (tx, { fileName }) => {
    const note = `${fileName}: whoever started it no longer has the role`
    await recordAdminEvent(tx, editor, { event: 'posts_import_canceled', note, now })
    return { status: 'canceled', finishedAt: now }
  })
  throw new RunMoved()
}

async function readEditor(db: Db, row: PostImportRow): Promise<Editor> {
  const userId = row.createdById ?? ''
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return { userId, email: user?.email ?? '', name: displayName(row.createdBy) }
}

/** Imports a post and records it in one transaction. */
async function importPost(
  deps: RunDeps,
  run: ImportStep,
  file: PostThread,
  { post, position, editor }: { post: PostInfo; position: number; editor: Editor },
): Promise<void> {
  const { title } = post
  const recordAs = (item: Item) => run.commit((tx, row) => record(tx, row, position, item))
  try {
    if (isRepeated(file, position)) return await recordAs(repeatedPost(title))
    const known = await readKnownPost(deps.database.db, file.source, post.id)
    const comments = await file.comments(position)
    const target = { source: file.source, sourceId: post.id, now: deps.clock() }
    if (known) {
      return await run.commit(async (tx, row) => {
        const notes = await importComments(tx, { ...target, documentId: known }, comments)
        return record(tx, row, position, { ...withoutDrop(title, 'known', known, ''), notes })
      })
    }
    const { notes, blockers, ...converted } = await file.convert(position)
    const { siteAddress } = run.row
    const source = { readImage: file.readImage, fetchFile: deps.fetchFile, siteAddress }
    const withImages = await importImages(deps, editor, source, { ...converted, folder: post.folder, title })
    const built = await file.build(
      deps.config.settings.publication,
      position,
      withImages.parts,
      (await readSendingSettings(deps.database.db)).timeZone,
    )
    await run.commit(async (tx, row) => {
      const expectedDrops = expectedSlugs(file.posts, deps.clock())
      const { source } = file
      const drop = { draft: built.draft, source, post, publish: row.publish, blockers, expectedDrops }
      const { reasons, ...written } = await writeDrop(tx, deps, editor, drop)
      const stays = row.publish ? draftNotes(reasons) : []
      const answers = await importComments(tx, { ...target, documentId: written.documentId ?? '' }, comments)
      const item = { title, ...written, readers: readersOf(built.draft) }
      return record(tx, row, position, {
        ...item,
        notes: [...stays, ...answers, ...notes, ...withImages.notes, ...built.notes],
      })
    })
  } catch (error) {
    if (error instanceof RunMoved) throw error
    if (!(error instanceof PostFileError || error instanceof AppError)) {
      deps.logger.warn({ err: error, importId: run.row.id }, 'a post wasn’t imported')
    }
    await recordAs(withoutDrop(title, 'failed', null, reasonOf(error)))
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

type Drop = Decided & { draft: IssueDraft; source: string; post: PostInfo; publish: boolean }

async function writeDrop(
  tx: Tx,
  { config, database, clock }: RunDeps,
  editor: Editor,
  { draft, source, post, publish, ...decided }: Drop,
): Promise<Pick<Item, 'result' | 'documentId'> & { reasons: string[] }> {
  const within = { config, database: { ...database, db: tx as unknown as Db }, clock }
  const { id, version } = await createDocument(within, editor, { kind: 'issue', title: draft.title, date: '' })
  const document = await withFreeSlug(tx, id, draft)
  const saved = await saveDocument(within, editor, { kind: 'issue', id, version, document })
  const existing = tx.select({ id: contentDocument.id }).from(contentDocument).where(isItsDrop)
  await tx.delete(importedPosts).where(and(isPost(source, post.id), notExists(existing)))
  await tx.insert(importedPosts).values({
    source,
    sourceId: post.id,
    documentId: id,
    slug: post.slug.normalize('NFC').toLowerCase(),
    importedAt: clock(),
  })
  const reasons = await reasonsToStayDraft(tx, post, { id, draft: document, now: clock(), ...decided })
  if (!publish || reasons.length > 0) return { result: 'imported', documentId: id, reasons }
  const { expectedDrops } = decided
  await publishDocument(within, editor, { kind: 'issue', id, version: saved.version, expectedDrops })
  // In the order in which readers got it at the source.
  await tx
    .update(issues)
    .set({ publishedAt: sql`least(${issues.publishedAt}, ${post.publishedAt?.toISOString()}::timestamptz)` })
    .where(eq(issues.id, id))
  return { result: 'published', documentId: id, reasons }
}
