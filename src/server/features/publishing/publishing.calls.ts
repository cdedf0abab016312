import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import {
  adminContentCall,
  adminCreateDocumentCall,
  adminDeleteDocumentCall,
  adminOrderContentCall,
  adminPreviewDocumentCall,
  adminPublishDocumentCall,
  adminReadDocumentCall,
  adminReadRevisionCall,
  adminRestoreRevisionCall,
  adminRevisionsCall,
  adminSaveDocumentCall,
  adminScheduledMailingsCall,
  adminUnpublishDocumentCall,
} from '#shared/contracts/publishing.ts'
import {
  adminBlocksCall,
  adminDeleteBlockCall,
  adminDeleteImageCall,
  adminGuideFileLinkCall,
  adminGuideFilesCall,
  adminImagesCall,
  adminSaveBlockCall,
  adminUploadGuideFileCall,
  adminUploadImageCall,
} from '#shared/contracts/publishing-library.ts'
import { deleteBlock, listBlocks, saveBlock } from './blocks.ts'
import { deleteImage } from './delete-image.ts'
import { keepGuideFile, linkGuideFile, listGuideFiles } from './guide-files.ts'
import { keepImage, listImages } from './images.ts'
import { listContent } from './list-content.ts'
import { orderContent } from './order-content.ts'
import { previewDocument } from './preview-document.ts'
import { publishDocument } from './publish-document.ts'
import { listRevisions, readRevision } from './revisions.ts'
import { listScheduledMailings } from './scheduled-mailings.ts'
import { findDocument, toStored } from './stored-document.ts'
import { createDocument, deleteDocument, restoreRevision, saveDocument, unpublishDocument } from './write-document.ts'

/** The publisher's desk. Every call here has the audience `admin`, in its contract. */
export function publishingCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminContentCall, async ({ kind }) => ({ entries: await listContent(db, kind) })),
    implement(adminReadDocumentCall, async (name) => toStored(db, await findDocument(db, name))),
    implement(adminCreateDocumentCall, (wanted, who) => createDocument(deps, who, wanted)),
    implement(adminSaveDocumentCall, (save, who) => saveDocument(deps, who, save)),
    implement(adminPreviewDocumentCall, (draft) => previewDocument(db, draft, deps.clock())),
    implement(adminRevisionsCall, (query) => listRevisions(db, query)),
    implement(adminReadRevisionCall, (wanted) => readRevision(db, wanted)),
    implement(adminRestoreRevisionCall, (wanted, who) => restoreRevision(deps, who, wanted)),
    implement(adminPublishDocumentCall, (name, who) => publishDocument(deps, who, name)),
    implement(adminUnpublishDocumentCall, (name, who) => unpublishDocument(deps, who, name)),
    implement(adminScheduledMailingsCall, async ({ id }) => ({ mailings: await listScheduledMailings(db, id) })),
    implement(adminDeleteDocumentCall, async (name) => {
      await deleteDocument(db, name)
      return {}
    }),
    implement(adminOrderContentCall, async (order) => {
      await orderContent(deps, order)
      return {}
    }),
    implement(adminBlocksCall, async () => ({ blocks: await listBlocks(db) })),
    implement(adminSaveBlockCall, (block, who) => saveBlock(deps, who, block)),
    implement(adminDeleteBlockCall, async ({ id }) => {
      await deleteBlock(db, id)
      return {}
    }),
    implement(adminImagesCall, ({ cursor }) => listImages(db, cursor)),
    implement(adminUploadImageCall, async ({ name }, who, { readFile }) =>
      keepImage(deps, who, { name, file: await readFile() }),
    ),
    implement(adminDeleteImageCall, async ({ hash }) => {
      await deleteImage(deps, hash)
      return {}
    }),
    implement(adminGuideFilesCall, async ({ id }) => ({ files: await listGuideFiles(db, id) })),
    implement(adminUploadGuideFileCall, async ({ id, name }, who, { readFile }) =>
      keepGuideFile(deps, who, { id, name, file: await readFile() }),
    ),
    implement(adminGuideFileLinkCall, (wanted, who) => linkGuideFile(deps, who.userId, wanted)),
  ]
}
