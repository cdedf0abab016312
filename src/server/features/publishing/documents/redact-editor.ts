import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  apiKeys,
  bulkActions,
  complimentaryAccess,
  contentBlock,
  contentDocument,
  contentRevision,
  contentSchedule,
  customField,
  guideFile,
  mailings,
  mediaImage,
  memberNotes,
  memberTags,
  memberViews,
  newsletter,
  publicationSettings,
  publicationSettingVersions,
  segments,
  sitePage,
  suppressions,
} from '#server/db/schema/index.ts'

const formerEditor = 'Former editor'
const updatedByNoOne = { updatedBy: formerEditor, updatedById: null }
const createdByNoOne = { createdBy: formerEditor, createdById: null }
const grantedByNoOne = { grantedBy: formerEditor, grantedById: null }
const addedByNoOne = { addedBy: formerEditor, addedById: null }
const undoneByNoOne = { undoneBy: formerEditor, undoneById: null }
const liftedByNoOne = { liftedBy: formerEditor, liftedById: null }

/** Removes a deleted account's id and name from the records of its edits. The content itself stays. */
export async function redactEditor(tx: Tx, userId: string): Promise<void> {
  await tx.update(contentDocument).set(updatedByNoOne).where(eq(contentDocument.updatedById, userId))
  await tx.update(contentRevision).set(createdByNoOne).where(eq(contentRevision.createdById, userId))
  await tx.update(contentSchedule).set(createdByNoOne).where(eq(contentSchedule.createdById, userId))
  await tx.update(contentBlock).set(updatedByNoOne).where(eq(contentBlock.updatedById, userId))
  await tx.update(sitePage).set(updatedByNoOne).where(eq(sitePage.updatedById, userId))
  await tx.update(mediaImage).set(createdByNoOne).where(eq(mediaImage.createdById, userId))
  await tx.update(guideFile).set(createdByNoOne).where(eq(guideFile.createdById, userId))
  await tx.update(mailings).set(createdByNoOne).where(eq(mailings.createdById, userId))
  await tx.update(apiKeys).set(createdByNoOne).where(eq(apiKeys.createdById, userId))
  await tx.update(segments).set(createdByNoOne).where(eq(segments.createdById, userId))
  await tx.update(suppressions).set(createdByNoOne).where(eq(suppressions.createdById, userId))
  await tx.update(suppressions).set(liftedByNoOne).where(eq(suppressions.liftedById, userId))
  await tx.update(complimentaryAccess).set(grantedByNoOne).where(eq(complimentaryAccess.grantedById, userId))
  await tx.update(customField).set(updatedByNoOne).where(eq(customField.updatedById, userId))
  await tx.update(newsletter).set(updatedByNoOne).where(eq(newsletter.updatedById, userId))
  await tx.update(memberViews).set(createdByNoOne).where(eq(memberViews.createdById, userId))
  await tx.update(bulkActions).set(createdByNoOne).where(eq(bulkActions.createdById, userId))
  await tx.update(bulkActions).set(undoneByNoOne).where(eq(bulkActions.undoneById, userId))
  await tx.update(memberTags).set(addedByNoOne).where(eq(memberTags.addedById, userId))
  await tx.update(memberNotes).set(createdByNoOne).where(eq(memberNotes.createdById, userId))
  await tx.update(memberNotes).set(updatedByNoOne).where(eq(memberNotes.updatedById, userId))
  await tx.update(publicationSettings).set(updatedByNoOne).where(eq(publicationSettings.updatedById, userId))
  await tx
    .update(publicationSettingVersions)
    .set(createdByNoOne)
    .where(eq(publicationSettingVersions.createdById, userId))
}
