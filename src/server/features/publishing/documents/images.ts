import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterCursor, type Db, newestFirst, queryRows, toMicroseconds } from '#server/db/database.ts'
import { mediaImage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor, editorLabel, readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { imageKey } from '#server/media/object-key.ts'
import { type ImageSize, processImage } from '#server/media/process-image.ts'
import { documentKinds } from '#shared/contracts/publishing/documents.ts'
import type { MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'

type ImageRow = typeof mediaImage.$inferSelect

const pageSize = 48

const extensionOf = (contentType: string) => (contentType === 'image/png' ? 'png' : 'jpg')

const toWire = ({ contentType, createdAt, ...row }: ImageRow): MediaImage => ({
  ...row,
  path: `/media/${row.hash}.${extensionOf(contentType)}`,
  createdAt: createdAt.toISOString(),
})

/**
 * Saves an image. Uploading the same image again returns the existing one.
 * @throws AppError unsupported_file, invalid_image, file_store_unavailable
 */
export async function saveImage(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  { name, file }: { name: string; file: Uint8Array },
  maxSize?: ImageSize,
): Promise<MediaImage> {
  const { bytes, extension, contentType, width, height } = await processImage(file, maxSize)
  const hash = createHash('sha256').update(bytes).digest('hex')
  // The file first: no row may point to a missing file.
  await store.put(imageKey(hash, extension), bytes, contentType)
  const row = { hash, contentType, width, height, bytes: bytes.byteLength, originalName: name.slice(0, 200) || 'image' }
  return database.db.transaction(async (tx) => {
    const now = clock()
    const [saved] = await tx
      .insert(mediaImage)
      .values({ ...row, createdAt: now, ...createdBy(editor) })
      .onConflictDoUpdate({ target: mediaImage.hash, set: { originalName: sql`${mediaImage.originalName}` } })
      .returning()
    if (!saved) throw new Error('The image was not saved')
    const object = { kind: 'image', id: hash, name: row.originalName } as const
    const changes = changesBetween({}, { size: `${width} × ${height}`, bytes: row.bytes })
    await recordAdminEvent(tx, editor, { event: 'image_uploaded', object, changes, now })
    return toWire({ ...saved, createdBy: await readEditorLabel(tx, saved.createdBy, saved.createdById) })
  })
}

/** Creation time in microseconds since 1970, which is the precision of the database, and the hash. */
const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.string().regex(/^[0-9a-f]{64}$/)])
const columns = { createdAt: mediaImage.createdAt, id: mediaImage.hash }

/** Newest first, in keyset pages that use `media_image_created_at_idx`. */
export async function listImages(db: Db, cursor: string | null | undefined) {
  const after = cursor ? decodeCursor(cursor, positionSchema) : null
  const rows = await db
    .select({
      image: mediaImage,
      createdBy: editorLabel(mediaImage.createdBy, mediaImage.createdById),
      createdAtMicros: toMicroseconds(mediaImage.createdAt),
    })
    .from(mediaImage)
    .where(after ? afterCursor(columns, after[0], sql`${after[1]}`) : undefined)
    .orderBy(...newestFirst(columns))
    .limit(pageSize + 1)
  const { page, nextCursor } = pageOf(rows, pageSize, (last) => [last.createdAtMicros, last.image.hash])
  return { items: page.map(({ image, createdBy: by }) => toWire({ ...image, createdBy: by })), nextCursor }
}

/**
 * Deletes the file first: if that fails halfway, the row is still listed and can be deleted again, while a file without a
 * row would be served forever.
 * @throws AppError image_in_use with `usedIn`; file_store_unavailable; not_found
 */
export async function deleteImage(
  { config, database, store, clock }: Pick<Deps, 'config' | 'database' | 'store' | 'clock'>,
  editor: Editor,
  hash: string,
): Promise<void> {
  const { db } = database
  const [image] = await db.select().from(mediaImage).where(eq(mediaImage.hash, hash))
  if (!image) throw new AppError('not_found')
  const { publication, appIcon } = config.settings
  const { logo, logoDark, picture } = publication
  const uses = [
    { what: 'the publication’s logo', another: 'logo', paths: [logo?.src, logoDark?.src] },
    { what: 'the app icon', another: 'icon', paths: [appIcon] },
    { what: 'the landing page’s picture', another: 'picture', paths: [picture?.src, picture?.small] },
  ]
  const use = uses.find(({ paths }) => paths.some((path) => path?.includes(hash)))
  if (use) {
    throw new AppError('image_in_use', { message: `This image is ${use.what}. Choose another ${use.another} first.` })
  }
  const usedIn = await findUses(db, hash)
  if (usedIn.length > 0) throw new AppError('image_in_use', { message: inUseMessage(usedIn), extra: { usedIn } })
  await store.delete(imageKey(hash, extensionOf(image.contentType)))
  await db.transaction(async (tx) => {
    await tx.delete(mediaImage).where(eq(mediaImage.hash, hash))
    const object = { kind: 'image', id: hash, name: image.originalName } as const
    const changes = changesBetween({ size: `${image.width} × ${image.height}`, bytes: image.bytes }, {})
    await recordAdminEvent(tx, editor, { event: 'image_deleted', object, changes, now: clock() })
  })
}

const usesSchema = z.array(
  z.object({ kind: z.enum([...documentKinds, 'block', 'page', 'mailing']), id: z.string(), title: z.string() }),
)
type Usage = z.output<typeof usesSchema>[number]

/**
 * Drafts, published texts and blocks that show the image, and mailings, since sent emails load it when they are opened.
 * Earlier revisions don't count, or an image inserted by mistake could never be deleted.
 */
async function findUses(db: Db, hash: string): Promise<Usage[]> {
  const contains = (text: ReturnType<typeof sql>) => sql`strpos(${text}, ${hash}) > 0`
  const rows = await queryRows(
    db,
    sql`
    select kind, id, coalesce(nullif(document ->> 'title', ''), nullif(document ->> 'name', ''), id) as title
      from content_document where ${contains(sql`document::text`)}
    union
    select 'issue', i.id, i.title from issues i
      where i.published_at is not null and (${contains(sql`i.worth || i.intro || i.closing`)} or exists (
        select 1 from issue_sections s where s.issue_id = i.id and ${contains(sql`s.body || s.examples::text`)}))
    union all
    select 'block', id, title from content_block where ${contains(sql`body`)}
    union all
    select 'page', id::text, title from site_page where ${contains(sql`body`)}
    union all
    select 'mailing', id::text, subject from mailings
      where not (status = 'stopped' and started_at is null) and ${contains(sql`content::text`)}
    order by kind, title, id`,
  )
  const uses = usesSchema.parse(rows)
  return uses.filter(({ kind, id }, index) => uses.findIndex((use) => use.kind === kind && use.id === id) === index)
}

const kindNames: Record<Usage['kind'], string> = {
  issue: 'the drop',
  'prompt-pack': 'the prompt pack',
  guide: 'the guide',
  tool: 'the tool',
  block: 'the block',
  page: 'the page',
  mailing: 'the mailing',
}
/** The message names this many; `usedIn` has all of them. */
const maxNamed = 4

function inUseMessage(uses: readonly Usage[]): string {
  const names = uses.slice(0, maxNamed).map(({ kind, title }) => `${kindNames[kind]} “${title}”`)
  const more = uses.length - names.length
  return `It’s used in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
