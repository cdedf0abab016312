import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { maxCommentLength } from '#shared/domain/comments.ts'
import { storableText } from '#shared/domain/storable-text.ts'
import { noteText } from './note-text.ts'

const id = z.uuid()
const issueId = z.string().min(1).max(200)
const count = z.number().int().nonnegative()
const page = { cursor: z.string().max(300).nullish(), limit: z.number().int().min(1).max(50).optional() }
const text = noteText(maxCommentLength).refine((given) => given !== '', 'Write an answer')

/** The display name. Readers see it with the trade, number of stores and "Worked for me", and nothing else. */
const name = z
  .string()
  .max(1_000)
  .transform((given) => storableText(given).replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, 'Enter a display name').max(60, 'Use at most 60 characters'))

export const commentStates = ['visible', 'held', 'hidden', 'deleted'] as const
export type CommentState = (typeof commentStates)[number]

const replySchema = z.object({
  id,
  parentId: id.nullable(),
  /** Deleted answers keep their place while they have replies. Only the author sees held and hidden ones. */
  state: z.enum(commentStates),
  html: z.string(),
  /** The Markdown, for the author while they can change it; otherwise empty. */
  source: z.string(),
  author: z.object({
    name: z.string(),
    trade: z.string().nullable(),
    stores: count,
    worked: z.boolean(),
    /** True while they have a plan for supporters. */
    isSupporter: z.boolean(),
  }),
  isEditor: z.boolean(),
  isOwn: z.boolean(),
  isQuestion: z.boolean(),
  isAnswered: z.boolean(),
  isHelpful: z.boolean(),
  helpful: count,
  at: z.iso.datetime(),
  isEdited: z.boolean(),
})
export type ReplyItem = z.infer<typeof replySchema>
/** Readers see comments as answers. */
const commentSchema = replySchema.extend({ replies: z.array(replySchema) })
export type CommentItem = z.infer<typeof commentSchema>

/** The answers under a drop in the reader's order, each with its replies, the oldest first. */
export const commentsCall = defineCall({
  name: 'comments',
  audience: 'user',
  input: z.object({ issueId, ...page }),
  output: z.object({
    drop: z.object({ title: z.string(), path: z.string() }),
    canPost: z.boolean(),
    /** False until the reader has chosen a display name. */
    hasName: z.boolean(),
    count,
    items: z.array(commentSchema),
    nextCursor: z.string().nullable(),
  }),
})
export type Comments = z.infer<typeof commentsCall.output>

const invalidates = ['comments', 'admin-comments'] as const

/** Requires `name` the first time. A reply to a reply goes to the answer above both. A text sent twice is stored once. */
export const postCommentCall = defineCall({
  name: 'post-comment',
  audience: 'user',
  invalidates,
  input: z.object({
    issueId,
    parentId: id.nullish(),
    text,
    isQuestion: z.boolean().default(false),
    name: name.nullish(),
  }),
  output: commentSchema,
})

/** Changes the text, which fails with `comment_edit_over` after 15 minutes, or deletes it. */
export const changeCommentCall = defineCall({
  name: 'change-comment',
  audience: 'user',
  invalidates,
  input: z.object({ id, text: text.nullable() }),
  output: z.object({}),
})

/** Marks someone else's answer as helpful, undoes that, or reports it to the staff. */
export const markCommentCall = defineCall({
  name: 'mark-comment',
  audience: 'user',
  invalidates: ['comments'],
  input: z.object({ id, mark: z.enum(['helpful', 'not-helpful', 'report']), reason: noteText(500).default('') }),
  output: z.object({}),
})

/** Returns the reader's display name. With `save`, changes it first. */
export const commentNameCall = defineCall({
  name: 'comment-name',
  audience: 'user',
  invalidates: ['comment-name', 'comments'],
  input: z.object({ save: name.optional() }),
  output: z.object({ name: z.string().nullable() }),
})

export const commentFilters = ['waiting', 'all', 'suspended'] as const
export type CommentFilter = (typeof commentFilters)[number]

const moderatedSchema = z.object({
  id,
  parentId: id.nullable(),
  drop: z.object({ id: z.string(), title: z.string() }),
  state: z.enum(commentStates),
  html: z.string(),
  name: z.string(),
  /** Null for staff without members' data, and once the account is gone. */
  memberId: id.nullable(),
  isSuspended: z.boolean(),
  isQuestion: z.boolean(),
  /** Why readers reported it. */
  reports: z.array(z.string()),
  at: z.iso.datetime(),
})
export type ModeratedComment = z.infer<typeof moderatedSchema>

/** Answers that need a decision, questions first, then the oldest; or all answers, the newest first. */
export const adminCommentsCall = defineAdminCall({
  name: 'admin-comments',
  roles: ['owner', 'editor'],
  input: z.object({ filter: z.enum(commentFilters), ...page }),
  output: z.object({ items: z.array(moderatedSchema), nextCursor: z.string().nullable() }),
})

/** Approves an answer and resolves its reports and question, or hides it. */
export const adminModerateCommentCall = defineAdminCall({
  name: 'admin-moderate-comment',
  roles: ['owner', 'editor'],
  invalidates,
  input: z.object({ id, isShown: z.boolean() }),
  output: z.object({}),
})

/** Stops the author of an answer from writing, marking and reporting, or lifts that. */
export const adminSuspendCommenterCall = defineAdminCall({
  name: 'admin-suspend-commenter',
  roles: ['owner', 'editor'],
  stepUp: true,
  invalidates,
  input: z.object({ id, isSuspended: z.boolean() }),
  output: z.object({}),
})
