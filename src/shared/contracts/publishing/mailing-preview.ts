import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { readerSchema } from '#shared/contracts/reader/reader.ts'
import { emailSchema } from '#shared/domain/email-address.ts'
import { issueDraftSchema } from './documents.ts'
import { mailingIdSchema } from './mailings.ts'
import { deliveryCauseSchema } from './newsletter.ts'

/*
 * Shows what readers will get: section orderings, preview, test email and checks. The calls for a drop's email are made from
 * the saved draft, with its title as the subject.
 */

const count = z.number().int().nonnegative()

/** The distinct section orderings of a mailing, and which section each group of readers sees first. */
export const adminSectionOrderingsCall = defineAdminCall({
  name: 'admin-section-orderings',
  roles: ['owner', 'editor'],
  input: mailingIdSchema,
  output: z.object({
    readers: count,
    orderings: count,
    sections: count,
    /** Readers whose ordering has every section exactly once. Fewer than `readers` is a bug. */
    completeReaders: count,
    /** Largest group first. */
    groups: z.array(
      z.object({ reader: readerSchema, readers: count, first: z.string(), reason: z.string().nullable() }),
    ),
  }),
})
export type SectionOrderings = z.output<typeof adminSectionOrderingsCall.output>

/** Someone by id, or a made-up reader with these preferences: a member, or `free` for one of the free edition. */
export const readerChoiceSchema = z.union([
  z.object({ userId: z.uuid() }),
  z.object({ reader: readerSchema, free: z.boolean().default(false) }),
])

export const previewSchema = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  bytes: count,
  headings: z.array(z.string()),
  reason: z.string().nullable(),
  /** For a member: whether they get this mailing. If they don't and `cause` is null, they aren't in its audience. */
  member: z.object({ receives: z.boolean(), cause: deliveryCauseSchema.nullable() }).nullable(),
})
export type PreviewedMember = NonNullable<z.output<typeof previewSchema>['member']>

export const testEmailSchema = z.object({
  to: emailSchema,
  as: readerChoiceSchema,
})
export const testEmailSentSchema = z.object({ to: z.string() })

const line = z.number().int().positive().nullable()

/** The field to change and the line in it: of the mailing itself, of a drop (`sections.1.body`), or of a block. */
const problemTargetSchema = z.discriminatedUnion('in', [
  z.object({ in: z.literal('mailing'), field: z.enum(['subject', 'preheader', 'title', 'body']), line }),
  z.object({ in: z.literal('drop'), id: z.string(), field: z.string(), line }),
  z.object({ in: z.literal('block'), id: z.string(), line }),
])
export type ProblemTarget = z.infer<typeof problemTargetSchema>

const mailingProblemSchema = z.object({
  severity: z.enum(['error', 'warning']),
  check: z.string(),
  message: z.string(),
  /** Where in the text, such as "Section 2, line 4"; null for the email as a whole. */
  place: z.string().nullable(),
  /** Null if no field can be edited, as for the title of a digest, or if the text is gone. */
  target: problemTargetSchema.nullable(),
})
export type MailingProblem = z.infer<typeof mailingProblemSchema>

const checkResultSchema = z.object({ problems: z.array(mailingProblemSchema) })

/**
 * Checks the email of a drop while it is written, with its title as the subject, without requests to other servers. The
 * draft needn't be saved.
 */
export const adminCheckDraftCall = defineAdminCall({
  name: 'admin-check-draft',
  roles: ['owner', 'editor'],
  input: z.object({ id: z.string().max(200), document: issueDraftSchema }),
  output: checkResultSchema,
})

/** Details of the error `mailing_has_errors`. */
export const mailingErrorsSchema = z.object({ errors: z.array(mailingProblemSchema) })

/** The text by which a problem is accepted. The same message in two places counts as two problems. */
export const problemText = ({ message, place }: Pick<MailingProblem, 'message' | 'place'>) =>
  place ? `${place}: ${message}` : message

export const adminPreviewMailingCall = defineAdminCall({
  name: 'admin-preview-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema.extend({ as: readerChoiceSchema }),
  output: previewSchema,
})

/** Sends one email, marked as a test in its subject, to any address. */
export const adminTestMailingCall = defineAdminCall({
  name: 'admin-test-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema.extend(testEmailSchema.shape),
  output: testEmailSentSchema,
})

export const adminCheckMailingCall = defineAdminCall({
  name: 'admin-check-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema,
  output: checkResultSchema,
})

const issueIdSchema = z.object({ id: z.string().regex(/^[a-z0-9-]{1,80}$/) })

export const adminPreviewIssueEmailCall = defineAdminCall({
  name: 'admin-preview-issue-email',
  roles: ['owner', 'editor'],
  input: issueIdSchema.extend({ as: readerChoiceSchema }),
  output: previewSchema,
})

export const adminTestIssueEmailCall = defineAdminCall({
  name: 'admin-test-issue-email',
  roles: ['owner', 'editor'],
  input: issueIdSchema.extend(testEmailSchema.shape),
  output: testEmailSentSchema,
})

export const adminCheckIssueEmailCall = defineAdminCall({
  name: 'admin-check-issue-email',
  roles: ['owner', 'editor'],
  input: issueIdSchema,
  output: checkResultSchema,
})
