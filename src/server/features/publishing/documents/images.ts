import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { afterCursor, newestFirst, toMicroseconds } from '#server/db/keyset-pagination.ts'
import { mediaImage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor, editorLabel, readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { imageKey } from '#server/media/object-key.ts'
import type { MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { type ImageSize, processImage } from './process-image.ts'

type ImageRow = typeof mediaImage.$inferSelect

const pageSize = 48

export const extensionOf = (contentType: string) => (contentType === 'image/png' ? 'png' : 'jpg')

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
