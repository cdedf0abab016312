import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { afterCursor, newestFirst, toMicroseconds } from '#server/db/keyset-pagination.ts'
import { mediaImage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/auth/security/admin-event.ts'
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts'
import { imageKey } from '#server/media/object-key.ts'
import type { MediaImage } from '#shared/contracts/publishing-library.ts'
import { createdBy, type Editor } from './editor.ts'
import { processImage } from './process-image.ts'

type ImageRow = typeof mediaImage.$inferSelect

const pageSize = 48

export const extensionOf = (contentType: string) => (contentType === 'image/png' ? 'png' : 'jpg')

const toWire = ({ contentType, createdAt, ...row }: ImageRow): MediaImage => ({
  ...row,
  path: `/media/${row.hash}.${extensionOf(contentType)}`,
  createdAt: createdAt.toISOString(),
})

/**
 * Keeps a picture. The same one again is the one that is there.
 * @throws AppError unsupported_file, invalid_image, file_store_unavailable
 */
export async function saveImage(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  { name, file }: { name: string; file: Uint8Array },
): Promise<MediaImage> {
  const { bytes, extension, contentType, width, height } = await processImage(file)
  const hash = createHash('sha256').update(bytes).digest('hex')
  // First the bytes: a row must never lead to nothing.
  await store.put(imageKey(hash, extension), bytes, contentType)
  const row = { hash, contentType, width, height, bytes: bytes.byteLength, originalName: name.slice(0, 200) || 'image' }
  return database.db.transaction(async (tx) => {
    const now = clock()
    const [kept] = await tx
      .insert(mediaImage)
      .values({ ...row, createdAt: now, ...createdBy(editor) })
      .onConflictDoUpdate({ target: mediaImage.hash, set: { originalName: sql`${mediaImage.originalName}` } })
      .returning()
    if (!kept) throw new Error('The picture was not kept')
    const object = { kind: 'image', id: hash, name: row.originalName } as const
    await recordAdminEvent(tx, editor, { event: 'image_uploaded', object, now })
    return toWire(kept)
  })
}

/** Creation in whole microseconds since 1970, as the database keeps it, and the hash. */
const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.string().regex(/^[0-9a-f]{64}$/)])
const place = { createdAt: mediaImage.createdAt, id: mediaImage.hash }

/** Newest first, in keyset pages, written as `media_image_created_at_idx` has them. */
export async function listImages(db: Db, cursor: string | null | undefined) {
  const after = cursor ? decodeCursor(cursor, positionSchema) : null
  const rows = await db
    .select({ image: mediaImage, createdAtMicros: toMicroseconds(mediaImage.createdAt) })
    .from(mediaImage)
    .where(after ? afterCursor(place, after[0], sql`${after[1]}`) : undefined)
    .orderBy(...newestFirst(place))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    images: page.map(({ image }) => toWire(image)),
    nextCursor: rows.length > pageSize && last ? encodeCursor([last.createdAtMicros, last.image.hash]) : null,
  }
}
