import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { mediaImage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/auth/security/admin-event.ts'
import { imageKey } from '#server/media/object-key.ts'
import { documentKinds } from '#shared/contracts/documents.ts'
import { AppError } from '#shared/errors.ts'
import type { Editor } from './editor.ts'
import { extensionOf } from './images.ts'

/**
 * Takes a picture away, with its file. First the bytes: a row that stays behind is still in the list and can be deleted
 * again, while a file without one would be served for ever.
 * @throws AppError image_in_use with `usedIn`; file_store_unavailable; not_found
 */
export async function deleteImage(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  hash: string,
): Promise<void> {
  const { db } = database
  const [image] = await db.select().from(mediaImage).where(eq(mediaImage.hash, hash))
  if (!image) throw new AppError('not_found')
  const usedIn = await findUses(db, hash)
  if (usedIn.length > 0) throw new AppError('image_in_use', { message: inUse(usedIn), extra: { usedIn } })
  await store.delete(imageKey(hash, extensionOf(image.contentType)))
  await db.transaction(async (tx) => {
    await tx.delete(mediaImage).where(eq(mediaImage.hash, hash))
    const object = { kind: 'image', id: hash, name: image.originalName } as const
    await recordAdminEvent(tx, editor, { event: 'image_deleted', object, now: clock() })
  })
}

const usesSchema = z.array(
  z.object({ kind: z.enum([...documentKinds, 'block', 'mailing']), id: z.string(), title: z.string() }),
)
type Use = z.output<typeof usesSchema>[number]

/**
 * What would show a gap: a text as it is written or as readers see it, a block, and a mailing, since mails that are out
 * load the picture when they are opened. Earlier versions of a text do not count, or a picture that was put in once by
 * mistake could never be deleted; a version that is restored without its picture is not published.
 */
async function findUses(db: Db, hash: string): Promise<Use[]> {
  const shows = (text: ReturnType<typeof sql>) => sql`strpos(${text}, ${hash}) > 0`
  const rows = await queryRows(
    db,
    sql`
    select kind, id, coalesce(nullif(document ->> 'title', ''), nullif(document ->> 'name', ''), id) as title
      from content_document where ${shows(sql`document::text`)}
    union
    select 'issue', i.id, i.title from issues i
      where i.published_at is not null and (${shows(sql`i.intro || i.closing`)} or exists (
        select 1 from issue_sections s where s.issue_id = i.id and ${shows(sql`s.body`)}))
    union all
    select 'block', id, title from content_block where ${shows(sql`body`)}
    union all
    select 'mailing', id::text, subject from mailings
      where not (status = 'stopped' and started_at is null) and ${shows(sql`content::text`)}
    order by kind, title, id`,
  )
  const uses = usesSchema.parse(rows)
  return uses.filter(({ kind, id }, index) => uses.findIndex((use) => use.kind === kind && use.id === id) === index)
}

const kindNames: Record<Use['kind'], string> = {
  issue: 'the drop',
  'prompt-pack': 'the prompt pack',
  guide: 'the guide',
  tool: 'the tool',
  block: 'the block',
  mailing: 'the mailing',
}
/** Named in the message; the list behind it has them all. */
const named = 4

function inUse(uses: readonly Use[]): string {
  const names = uses.slice(0, named).map(({ kind, title }) => `${kindNames[kind]} “${title}”`)
  const more = uses.length - names.length
  return `It is shown by ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
