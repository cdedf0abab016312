import type { Deps } from '#server/feature.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'

import * as contentCleanupContracts from '#shared/contracts/publishing/content-cleanup.ts'
import * as publishingContracts from '#shared/contracts/publishing/publishing.ts'
import * as publishingLibraryContracts from '#shared/contracts/publishing/publishing-library.ts'
import { adminReaderDemandCall } from '#shared/contracts/publishing/reader-demand.ts'
import { listContent, reorderContent, tagDrops } from './arrange-content.ts'

import { deleteBlock, listBlocks, saveBlock } from './blocks.ts'
import { deleteDocuments, listDeletedDocuments, restoreDocuments } from './deleted-documents.ts'
import { cancelSchedule, listScheduledMailings, scheduleDocument } from './document-schedule.ts'
import { createGuideFileLink, listGuideFiles, saveGuideFile } from './guide-files.ts'
import { deleteImage, listImages, saveImage } from './images.ts'
import { previewDocument } from './preview-document.ts'
import { moveDrop, publishDocument } from './publish-document.ts'
import { readBookmark } from './read-bookmark.ts'
import { readCalendar } from './read-calendar.ts'
import { readReaderDemand } from './read-reader-demand.ts'
import { listRevisions, readRevision } from './revisions.ts'
import { countSamples, removeSamples, restoreSamples } from './sample-content.ts'
import { findDocument, toStoredDocument } from './stored-document.ts'
import { saveTextFile } from './text-files.ts'
import { createDocument, restoreRevision, saveDocument, unpublishDocument } from './write-document.ts'

/** Three times as large as headers and emails show a logo, for screens with a high density; the largest app icon. */
const sizes = {
  logo: { width: 432, height: 96 },
  icon: { width: 512, height: 512 },
  // As wide as a page on a laptop, and as a phone with a high density.
  picture: { width: 1600, height: 1600 },
  'picture-small': { width: 800, height: 800 },
}

/** Calls of the content editor. All have the audience `admin`. */
export function publishingCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(publishingContracts.adminContentCall, async ({ kind }) => ({ items: await listContent(db, kind) })),
    implement(adminContentCalendarCall, ({ month }) => readCalendar(db, month, deps.clock())),
    implement(adminReaderDemandCall, () => readReaderDemand(db, deps.config.settings.publication, deps.clock())),
    implement(publishingContracts.adminReadDocumentCall, async (name) =>
      toStoredDocument(db, await findDocument(db, name)),
    ),
    implement(publishingContracts.adminCreateDocumentCall, (wanted, who) => createDocument(deps, who, wanted)),
    implement(publishingContracts.adminSaveDocumentCall, (save, who) => saveDocument(deps, who, save)),
    implement(publishingContracts.adminPreviewDocumentCall, (draft) =>
      previewDocument(db, deps.config.settings.publication, draft, deps.clock()),
    ),
    implement(publishingContracts.adminRevisionsCall, (query) => listRevisions(db, query)),
    implement(publishingContracts.adminReadRevisionCall, (wanted) => readRevision(db, wanted)),
    implement(publishingContracts.adminRestoreRevisionCall, (wanted, who) => restoreRevision(deps, who, wanted)),
    implement(publishingContracts.adminPublishDocumentCall, (name, who) => publishDocument(deps, who, name)),
    implement(publishingContracts.adminUnpublishDocumentCall, (name, who) => unpublishDocument(deps, who, name)),
    implement(publishingContracts.adminScheduleDocumentCall, (wanted, who) => scheduleDocument(deps, who, wanted)),
    implement(publishingContracts.adminCancelScheduleCall, (name, who) => cancelSchedule(deps, who, name)),
    implement(publishingContracts.adminMoveDropCall, (move, who) => moveDrop(deps, who, move)),
    implement(publishingContracts.adminScheduledMailingsCall, async ({ id }) => ({
      items: await listScheduledMailings(db, id),
    })),
    implement(contentCleanupContracts.adminDeleteDocumentsCall, (wanted, who) => deleteDocuments(deps, who, wanted)),
    implement(contentCleanupContracts.adminDeletedDocumentsCall, async ({ kind }) => ({
      items: await listDeletedDocuments(db, kind),
    })),
    implement(contentCleanupContracts.adminRestoreDocumentsCall, (wanted, who) => restoreDocuments(deps, who, wanted)),
    implement(contentCleanupContracts.adminTagDropsCall, (change, who) => tagDrops(deps, who, change)),
    implement(contentCleanupContracts.adminSampleContentCall, () => countSamples(db)),
    ...(
      [
        [contentCleanupContracts.adminRemoveSamplesCall, removeSamples],
        [contentCleanupContracts.adminRestoreSamplesCall, restoreSamples],
      ] as const
    ).map(([contract, change]) =>
      implement(contract, async (_, who) => {
        const counts = await change(deps, who)
        // Pages that nobody edited go and come back with the samples.
        await applySettings(db, deps.config, deps.clock())
        return counts
      }),
    ),
    implement(publishingContracts.adminOrderContentCall, (order, who) => reorderContent(deps, who, order)),
    implement(publishingLibraryContracts.adminBlocksCall, async () => ({ items: await listBlocks(db) })),
    implement(publishingLibraryContracts.adminSaveBlockCall, (block, who) => saveBlock(deps, who, block)),
    implement(publishingLibraryContracts.adminDeleteBlockCall, ({ id }, who) => deleteBlock(deps, who, id)),
    implement(publishingLibraryContracts.adminImagesCall, ({ cursor }) => listImages(db, cursor)),
    implement(publishingLibraryContracts.adminUploadImageCall, async ({ name }, who, request) =>
      saveImage(deps, who, { name, file: await request.readFile() }),
    ),
    implement(publishingLibraryContracts.adminReadBookmarkCall, ({ address }, who) => readBookmark(deps, who, address)),
    implement(publishingLibraryContracts.adminUploadLogoCall, async ({ name, use }, who, request) =>
      saveImage(deps, who, { name, file: await request.readFile() }, sizes[use]),
    ),
    implement(publishingLibraryContracts.adminDeleteImageCall, ({ hash }, who) => deleteImage(deps, who, hash)),
    implement(publishingLibraryContracts.adminGuideFilesCall, async ({ id }) => ({
      items: await listGuideFiles(db, id),
    })),
    implement(publishingLibraryContracts.adminUploadGuideFileCall, async ({ id, name }, who, request) =>
      saveGuideFile(deps, who, { id, name, file: await request.readFile() }),
    ),
    implement(publishingLibraryContracts.adminUploadTextFileCall, async ({ name, kind }, who, request) =>
      saveTextFile(deps, who, { name, kind, file: await request.readFile() }),
    ),
    implement(publishingLibraryContracts.adminGuideFileLinkCall, (wanted, who) =>
      createGuideFileLink(deps, who.userId, wanted),
    ),
  ]
}
