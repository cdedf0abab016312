import { z } from 'zod'
import {
  draftEditInput,
  draftFields,
  draftKey,
  draftSchema,
  newDraftInput,
} from '#shared/contracts/publishing/drafts.ts'
import { commentStates } from '#shared/contracts/reader/comments.ts'

/*
 * The public API, /api/v1. docs/api.md describes it, and /api/v1/openapi.json is generated from these contracts.
 */

export const apiScopes = {
  'read:members': 'Read members, their tags and their access',
  'write:members': 'Create and tag members',
  'read:content': 'Read published drops',
  'read:drafts': 'Read and check drafts',
  'write:drafts': 'Create and edit drafts',
  'read:answers': 'Read answers under drops',
  'write:answers': 'Hide answers under drops, and show them again',
  'read:newsletter': 'Read mailings and their figures',
} as const
export type ApiScope = keyof typeof apiScopes
export const apiScopeNames = Object.keys(apiScopes) as [ApiScope, ...ApiScope[]]

export type ApiEndpoint<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  method: 'get' | 'post' | 'put' | 'patch'
  /** With parameters in braces, below /api/v1. */
  path: string
  operationId: string
  summary: string
  scope: ApiScope
  /** All of path, query and body; a parameter in braces comes from the path, others of a `get` from the query. */
  input: Input
  output: Output
}

const defineEndpoint = <Input extends z.ZodObject, Output extends z.ZodType>(
  endpoint: ApiEndpoint<Input, Output>,
): ApiEndpoint<Input, Output> => endpoint

const instant = z.iso.datetime()
const id = z.object({ id: z.uuid() })
const pageInput = z.object({
  cursor: z.string().max(300).optional().describe('`nextCursor` of the previous page'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Default: 50'),
})
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

const tag = z.string().trim().min(1).max(40)

/** Text or an option's key, a date as YYYY-MM-DD, keys of options, a number, or yes as true. */
const fieldValue = z.union([z.string().max(2_000), z.array(z.string().max(60)).max(200), z.number(), z.boolean()])

const answersSchema = z.object({
  focusAreas: z.array(z.string()),
  aiLevel: z.string(),
  goals: z.array(z.string()),
  franchiseType: z.string().nullable(),
})

export const apiMemberSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  emailConfirmed: z.boolean(),
  createdAt: instant,
  tags: z.array(z.string()),
  answers: answersSchema
    .nullable()
    .describe('Answers to the questions at sign-up, as keys of their options; null until the member answers'),
  fields: z
    .record(z.string(), fieldValue)
    .describe('Values of your own fields, by the key that Settings, Fields shows; options by their keys'),
})
export type ApiMember = z.infer<typeof apiMemberSchema>

export const apiAccessSchema = z.object({
  memberId: z.uuid(),
  hasAccess: z.boolean().describe('Whether the portal is open to the member now'),
  source: z.enum(['plan', 'team', 'complimentary']).nullable().describe('What gives access; null without access'),
  subscription: z
    .object({
      status: z.string().describe('As in Stripe'),
      currentPeriodEnd: instant.nullable(),
      cancelAt: instant.nullable(),
    })
    .nullable(),
})

const apiDropSchema = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  preview: z.string(),
  date: z.iso.date(),
  tags: z.array(z.string()),
  readingMinutes: z.number().int(),
  publishedAt: instant.nullable(),
  url: z.string(),
})

const apiAnswerSchema = z.object({
  id: z.uuid(),
  dropId: z.string(),
  parentId: z.uuid().nullable().describe('The answer that a reply belongs to'),
  state: z.enum(commentStates).describe('`held` waits for approval; a deleted answer has no text'),
  text: z.string().describe('Markdown'),
  name: z.string().describe('As readers see it'),
  isEditor: z.boolean(),
  isQuestion: z.boolean(),
  isWaiting: z.boolean().describe('Held, reported, or a question without an answer'),
  helpful: z.number().int().nonnegative(),
  createdAt: instant,
})

const apiSectionSchema = z.object({ heading: z.string(), body: z.string().describe('Markdown') })
const count = z.number().int().nonnegative()

const apiMailingSchema = z.object({
  id: z.uuid(),
  kind: z.string(),
  subject: z.string(),
  status: z.string(),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  figures: z.object({
    recipients: count,
    delivered: count,
    opened: count,
    clicked: count,
    unsubscribed: count,
    hardBounces: count,
    softBounces: count,
    complaints: count,
  }),
})

export const apiEndpoints = {
  listMembers: defineEndpoint({
    method: 'get',
    path: '/members',
    operationId: 'listMembers',
    summary: 'List members, newest first',
    scope: 'read:members',
    input: pageInput.extend({
      email: z.string().trim().max(320).optional().describe('Full address'),
      tag: tag.optional(),
    }),
    output: pageOf(apiMemberSchema),
  }),
  createMember: defineEndpoint({
    method: 'post',
    path: '/members',
    operationId: 'createMember',
    summary: 'Create a member. No email is sent',
    scope: 'write:members',
    input: z.object({
      email: z.string().trim().max(320),
      name: z.string().trim().max(200).optional(),
      tags: z.array(tag).max(50).optional(),
    }),
    output: apiMemberSchema,
  }),
  getMember: defineEndpoint({
    method: 'get',
    path: '/members/{id}',
    operationId: 'getMember',
    summary: 'Read a member',
    scope: 'read:members',
    input: id,
    output: apiMemberSchema,
  }),
  setMemberTags: defineEndpoint({
    method: 'put',
    path: '/members/{id}/tags',
    operationId: 'setMemberTags',
    summary: 'Replace the tags of a member',
    scope: 'write:members',
    input: id.extend({ tags: z.array(tag).max(50) }),
    output: apiMemberSchema,
  }),
  setMemberFields: defineEndpoint({
    method: 'put',
    path: '/members/{id}/fields',
    operationId: 'setMemberFields',
    summary: 'Set values of your own fields of a member. Null removes one; fields that you leave out stay',
    scope: 'write:members',
    input: id.extend({ fields: z.record(z.string().max(60), fieldValue.nullable()) }),
    output: apiMemberSchema,
  }),
  getMemberAccess: defineEndpoint({
    method: 'get',
    path: '/members/{id}/access',
    operationId: 'getMemberAccess',
    summary: 'Read what a member may open, and why',
    scope: 'read:members',
    input: id,
    output: apiAccessSchema,
  }),
  listDrops: defineEndpoint({
    method: 'get',
    path: '/drops',
    operationId: 'listDrops',
    summary: 'List published drops, newest first',
    scope: 'read:content',
    input: pageInput,
    output: pageOf(apiDropSchema),
  }),
  getDrop: defineEndpoint({
    method: 'get',
    path: '/drops/{id}',
    operationId: 'getDrop',
    summary: 'Read a published drop with its text',
    scope: 'read:content',
    input: z.object({ id: z.string().max(200) }),
    output: apiDropSchema.extend({
      intro: z.string(),
      closing: z.string(),
      sections: z.array(apiSectionSchema),
      recording: z.object({ format: z.string(), seconds: count, bytes: count, downloads: count }).nullable(),
    }),
  }),
  listAnswers: defineEndpoint({
    method: 'get',
    path: '/answers',
    operationId: 'listAnswers',
    summary: 'List answers under drops with their replies, newest first',
    scope: 'read:answers',
    input: pageInput.extend({
      dropId: z.string().max(200).optional(),
      state: z.enum(commentStates).optional(),
    }),
    output: pageOf(apiAnswerSchema),
  }),
  setAnswerState: defineEndpoint({
    method: 'put',
    path: '/answers/{id}/state',
    operationId: 'setAnswerState',
    summary: 'Hide an answer, or approve it and resolve its reports',
    scope: 'write:answers',
    input: id.extend({ state: z.enum(['visible', 'hidden']) }),
    output: apiAnswerSchema,
  }),
  createDraft: defineEndpoint({
    method: 'post',
    path: '/drafts',
    operationId: 'createDraft',
    summary: 'Create a draft of a drop, prompt pack, guide or tool. A person publishes it at reviewUrl',
    scope: 'write:drafts',
    input: newDraftInput,
    output: draftSchema,
  }),
  getDraft: defineEndpoint({
    method: 'get',
    path: '/drafts/{kind}/{id}',
    operationId: 'getDraft',
    summary: 'Read a draft, or the draft behind published content, with what the checks find',
    scope: 'read:drafts',
    input: z.object(draftKey),
    output: draftSchema,
  }),
  updateDraft: defineEndpoint({
    method: 'patch',
    path: '/drafts/{kind}/{id}',
    operationId: 'updateDraft',
    summary: 'Replace fields of a draft. Readers see nothing of it until a person publishes it',
    scope: 'write:drafts',
    input: draftEditInput,
    output: draftSchema,
  }),
  checkDraft: defineEndpoint({
    method: 'post',
    path: '/drafts/{kind}/{id}/check',
    operationId: 'checkDraft',
    summary: 'Check a draft as it is, or as it would be with other fields, without saving it',
    scope: 'read:drafts',
    input: z.object({ ...draftKey, fields: draftFields.default({}) }),
    output: draftSchema,
  }),
  listMailings: defineEndpoint({
    method: 'get',
    path: '/mailings',
    operationId: 'listMailings',
    summary: 'List mailings with their figures, newest first',
    scope: 'read:newsletter',
    input: pageInput,
    output: pageOf(apiMailingSchema),
  }),
  getMailing: defineEndpoint({
    method: 'get',
    path: '/mailings/{id}',
    operationId: 'getMailing',
    summary: 'Read a mailing with its figures',
    scope: 'read:newsletter',
    input: id,
    output: apiMailingSchema,
  }),
}
