import type { Db } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import type { Principal } from '#server/http/principal.ts'
import { type Implementation, implement, requireRole } from '#server/http/product-calls.ts'
import { adminUserCall } from '#shared/contracts/operations/member-account.ts'
import * as deliveriesContracts from '#shared/contracts/publishing/deliveries.ts'
import * as mailingPreviewContracts from '#shared/contracts/publishing/mailing-preview.ts'
import { adminMailingReportCall } from '#shared/contracts/publishing/mailing-report.ts'
import * as mailingsContracts from '#shared/contracts/publishing/mailings.ts'
import { adminScheduleDropCall } from '#shared/contracts/publishing/publishing.ts'
import * as segmentsContracts from '#shared/contracts/publishing/segments.ts'
import { findProblems } from '../checks/locate-problem.ts'
import { findMailing } from '../sending/mailing-row.ts'
import { resendUnknown } from '../sending/resend.ts'
import { countAudience } from './count-audience.ts'
import { createExportLink } from './deliveries-csv.ts'
import { createMailing, deleteMailing, saveMailing } from './edit-mailing.ts'
import { createEstimateMailing } from './estimate-mailing.ts'
import { listDeliveries } from './list-deliveries.ts'
import { findIssueMailing, listMailings } from './list-mailings.ts'
import { previewMailing, requireReaderChoice, testMailing } from './preview-email.ts'
import { checkDraftEmail, checkIssueEmail, previewIssueEmail, testIssueEmail } from './preview-issue-email.ts'
import { contentOf, createReadWaitingForHour, readMailing } from './read-mailing.ts'
import { readReport } from './read-report.ts'
import { readSectionOrderings } from './read-section-orderings.ts'
import { deleteSegment, listSegments, saveSegment } from './segments.ts'
import { applyMailingAction, scheduleDrop, sendMailing, updateScheduledMailing } from './send-mailing.ts'

export function mailingCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const progressReaders = {
    estimateMailing: createEstimateMailing(deps),
    readWaitingForHour: createReadWaitingForHour(deps),
  }
  return [
    implement(mailingsContracts.adminMailingsCall, (query) => listMailings(db, query)),
    implement(mailingsContracts.adminIssueMailingCall, ({ issueId }) => findIssueMailing(db, issueId)),
    implement(mailingsContracts.adminMailingCall, async ({ id }, who) => {
      await requireMailingRole(db, who, id)
      return readMailing(deps, progressReaders, id)
    }),
    implement(adminMailingReportCall, ({ id }) => readReport(db, id)),
    implement(mailingsContracts.adminCreateMailingCall, (wanted, who) => createMailing(deps, wanted, who)),
    implement(mailingsContracts.adminSaveMailingCall, (change, who) => saveMailing(deps, who, change)),
    implement(mailingsContracts.adminDeleteMailingCall, ({ id }, who) => deleteMailing(deps, who, id)),
    implement(mailingsContracts.adminCountAudienceCall, ({ of, audience }) => countAudience(deps, of, audience)),
    implement(mailingPreviewContracts.adminSectionOrderingsCall, ({ id }) => readSectionOrderings(deps, id)),
    implement(mailingPreviewContracts.adminPreviewMailingCall, async ({ id, as }, who) => {
      requireReaderChoice(who, as)
      await requireMailingRole(db, who, id)
      return previewMailing(deps, id, as)
    }),
    implement(mailingPreviewContracts.adminCheckMailingCall, async ({ id }) => {
      const mailing = await findMailing(db, id)
      const content = await contentOf(db, mailing)
      const assumePublished = mailing.waitsForVersion === null ? null : content.path
      return { problems: await findProblems(deps, content, { assumePublished }) }
    }),
    implement(mailingPreviewContracts.adminTestMailingCall, async ({ id, ...test }, who) => {
      requireReaderChoice(who, test.as)
      await requireMailingRole(db, who, id)
      return testMailing(deps, who, id, test)
    }),
    implement(mailingPreviewContracts.adminPreviewIssueEmailCall, async ({ id, as }, who) => {
      requireReaderChoice(who, as)
      return previewIssueEmail(deps, id, as)
    }),
    implement(mailingPreviewContracts.adminTestIssueEmailCall, async ({ id, ...test }, who) => {
      requireReaderChoice(who, test.as)
      return testIssueEmail(deps, who, id, test)
    }),
    implement(mailingPreviewContracts.adminCheckDraftCall, async (draft) => ({
      problems: await checkDraftEmail(deps, draft),
    })),
    implement(mailingPreviewContracts.adminCheckIssueEmailCall, async ({ id }) => ({
      problems: await checkIssueEmail(deps, id),
    })),
    implement(adminScheduleDropCall, (wanted, who) => scheduleDrop(deps, who, wanted)),
    implement(mailingsContracts.adminSendMailingCall, (wanted, who) => sendMailing(deps, who, wanted)),
    implement(mailingsContracts.adminUpdateScheduledMailingCall, (wanted, who) =>
      updateScheduledMailing(deps, who, wanted),
    ),
    implement(mailingsContracts.adminMailingActionCall, (wanted, who) => applyMailingAction(deps, who, wanted)),
    implement(deliveriesContracts.adminDeliveriesCall, (query) => listDeliveries(db, query)),
    implement(deliveriesContracts.adminExportDeliveriesCall, (list, who) => createExportLink(deps, who, list)),
    implement(deliveriesContracts.adminResendUnknownCall, ({ mailingId, deliveryIds }, who) =>
      resendUnknown(deps, mailingId, deliveryIds, who),
    ),
    implement(segmentsContracts.adminSegmentsCall, () => listSegments(db)),
    implement(segmentsContracts.adminSaveSegmentCall, (change, who) => saveSegment(deps, change, who)),
    implement(segmentsContracts.adminDeleteSegmentCall, ({ id }, who) => deleteSegment(deps, who, id)),
  ]
}

/** A personal email is for staff who see members. @throws AppError not_found, role_not_allowed */
async function requireMailingRole(db: Db, who: Principal, id: string): Promise<void> {
  const { kind } = await findMailing(db, id)
  if (kind === 'personal') requireRole(adminUserCall.roles, who)
}
