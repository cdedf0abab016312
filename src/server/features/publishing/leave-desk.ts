import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  contentBlock,
  contentDocument,
  contentRevision,
  guideFile,
  mailings,
  mediaImage,
  publicationSettings,
  segments,
  suppressions,
  users,
} from '#server/db/schema/index.ts'

/** Stands where the address of an editor stood whose account is gone; the texts stay the publication's. */
const formerEditor = 'a former editor'

/** An account that ends takes its address out of the desk's books. */
export async function leaveDesk(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user?.email) return
  const { email } = user
  await tx.update(contentDocument).set({ updatedBy: formerEditor }).where(eq(contentDocument.updatedBy, email))
  await tx.update(contentRevision).set({ createdBy: formerEditor }).where(eq(contentRevision.createdBy, email))
  await tx.update(contentBlock).set({ updatedBy: formerEditor }).where(eq(contentBlock.updatedBy, email))
  await tx.update(mediaImage).set({ createdBy: formerEditor }).where(eq(mediaImage.createdBy, email))
  await tx.update(guideFile).set({ createdBy: formerEditor }).where(eq(guideFile.createdBy, email))
  await tx.update(mailings).set({ createdBy: formerEditor }).where(eq(mailings.createdBy, email))
  await tx.update(segments).set({ createdBy: formerEditor }).where(eq(segments.createdBy, email))
  await tx.update(suppressions).set({ createdBy: formerEditor }).where(eq(suppressions.createdBy, email))
  await tx.update(suppressions).set({ liftedBy: formerEditor }).where(eq(suppressions.liftedBy, email))
  await tx.update(publicationSettings).set({ updatedBy: formerEditor }).where(eq(publicationSettings.updatedBy, email))
}
