import { createHash } from 'node:crypto'
import { desc, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { mediaImage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { imageKey } from '#server/media/object-key.ts'
import type { MediaImage } from '#shared/contracts/publishing-library.ts'
import { processImage } from './process-image.ts'
import type { Editor } from './write-document.ts'

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
 * @throws AppError unsupported_file, image_unusable, store_unavailable
 */
export async function keepImage(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  { name, file }: { name: string; file: Uint8Array },
): Promise<MediaImage> {
  const { bytes, extension, contentType, width, height } = await processImage(file)
  const hash = createHash('sha256').update(bytes).digest('hex')
  // First the bytes: a row must never lead to nothing.
  await store.put(imageKey(hash, extension), bytes, contentType)
  const row = { hash, contentType, width, height, bytes: bytes.byteLength, originalName: name.slice(0, 200) || 'image' }
  const [kept] = await database.db
    .insert(mediaImage)
    .values({ ...row, createdAt: clock(), createdBy: editor.email })
    .onConflictDoUpdate({ target: mediaImage.hash, set: { originalName: sql`${mediaImage.originalName}` } })
    .returning()
  if (!kept) throw new Error('The picture was not kept')
  return toWire(kept)
}

const cursorSchema = z.tuple([z.iso.datetime(), z.string().regex(/^[0-9a-f]{64}$/)])

/** Newest first; a cursor that says nothing begins at the beginning. */
export async function listImages(db: Db, cursor: string | null | undefined) {
  const after = cursorSchema.safeParse((cursor ?? '').split(' ')).data
  const rows = await db
    .select()
    .from(mediaImage)
    .where(after && sql`(${mediaImage.createdAt}, ${mediaImage.hash}) < (${after[0]}::timestamptz, ${after[1]})`)
    .orderBy(desc(mediaImage.createdAt), desc(mediaImage.hash))
    .limit(pageSize + 1)
  const last = rows[pageSize - 1]
  return {
    images: rows.slice(0, pageSize).map(toWire),
    nextCursor: rows.length > pageSize && last ? `${last.createdAt.toISOString()} ${last.hash}` : null,
  }
}
