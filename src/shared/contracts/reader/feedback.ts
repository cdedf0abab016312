import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { noteText } from './note-text.ts'

/*
 * Readers' feedback on drops and guides: votes in polls, answers to the closing question, and whether it was useful.
 */

export const maxAnswerLength = 4_000
export const maxWhyLength = 1_000

const id = z.string().min(1).max(200)
const count = z.number().int().nonnegative()

export const pollStateSchema = z.object({
  question: z.string(),
  /** `votes` is null until the reader has voted or the poll is closed. */
  answers: z.array(z.object({ text: z.string(), votes: count.nullable() })),
  /** The reader's own answer; null before the first vote. */
  own: z.string().nullable(),
  isClosed: z.boolean(),
})
export type PollState = z.infer<typeof pollStateSchema>

export const ratedKinds = ['issue', 'guide'] as const
const voteSchema = z.object({ useful: z.boolean(), why: z.string() })
export type ItemVote = z.infer<typeof voteSchema>

/** Everything at the end of a drop that a reader can answer. */
export const dropFeedbackCall = defineCall({
  name: 'drop-feedback',
  audience: 'subscriber',
  input: z.object({ issueId: id }),
  output: z.object({
    poll: pollStateSchema.nullable(),
    /** Empty without a closing question. */
    question: z.string(),
    /** The reader's answers so far, oldest first. */
    answers: z.array(z.object({ text: z.string(), at: z.iso.datetime() })),
    vote: voteSchema.nullable(),
  }),
})
export type DropFeedback = z.infer<typeof dropFeedbackCall.output>

/** One vote per reader; another answer replaces it. */
export const voteInPollCall = defineCall({
  name: 'vote-in-poll',
  audience: 'subscriber',
  input: z.object({ issueId: id, answer: z.string().max(1_000) }),
  output: pollStateSchema,
})

/** Answers the closing question of a drop. */
export const answerQuestionCall = defineCall({
  name: 'answer-question',
  audience: 'subscriber',
  input: z.object({
    issueId: id,
    text: noteText(maxAnswerLength).refine((text) => text !== '', 'Enter an answer'),
  }),
  output: z.object({ text: z.string(), at: z.iso.datetime() }),
})

const casePart = noteText(maxAnswerLength).refine((text) => text !== '', 'Fill in this part')

/** A member offers what happened in their stores for publication. It is stored among the answers. */
export const offerCaseCall = defineCall({
  name: 'offer-case',
  audience: 'subscriber',
  input: z.object({ tried: casePart, numbers: casePart, failed: casePart, mayPublish: z.boolean() }),
  output: z.object({ at: z.iso.datetime() }),
})
export type CaseParts = Omit<z.input<typeof offerCaseCall.input>, 'mayPublish'>

export const rateItemCall = defineCall({
  name: 'rate-item',
  audience: 'subscriber',
  input: z.object({ kind: z.enum(ratedKinds), id, useful: z.boolean(), why: noteText(maxWhyLength) }),
  output: voteSchema,
})

/** The reader's votes on all guides, which are on one page. */
export const ownGuideVotesCall = defineCall({
  name: 'own-guide-votes',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ votes: z.array(voteSchema.extend({ id: z.string() })) }),
})

const memberSchema = z.object({ id: z.uuid(), name: z.string() })
const pageInput = z.object({
  cursor: z.string().max(300).nullish(),
  limit: z.number().int().min(1).max(100).optional(),
})

/** How an answer came by email. */
const replySchema = z.object({
  /** Subject of the email that the reply answers. */
  subject: z.string(),
  /** True if it names an email that only this member got. Otherwise only sender and subject fit. */
  isVerified: z.boolean(),
  isShortened: z.boolean(),
  /** Names of attachments, which stay in the mailbox. */
  attachments: z.array(z.string()),
})

/**
 * Answers to closing questions and replies by email, newest first. `member` is null for staff without members' data, who
 * don't see replies: people sign them.
 */
export const adminAnswersCall = defineAdminCall({
  name: 'admin-answers',
  roles: ['owner', 'editor'],
  input: pageInput,
  output: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        text: z.string(),
        /** Empty for a reply by email. */
        question: z.string(),
        reply: replySchema.nullable(),
        /** True if a member offered it for publication. */
        isCase: z.boolean(),
        /** The drop; null if it was deleted, or if the reply is to another email. */
        drop: z.object({ id: z.string(), title: z.string() }).nullable(),
        at: z.iso.datetime(),
        member: memberSchema.nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
    /** The mailbox of replies; null without one, and for staff who don't see replies. */
    mailbox: z.object({ readAt: z.iso.datetime().nullable(), automatic: count, others: count }).nullable(),
  }),
})
export type ReplyMailbox = NonNullable<z.infer<typeof adminAnswersCall.output>['mailbox']>
export type AdminAnswer = z.infer<typeof adminAnswersCall.output>['items'][number]

const ratingSchema = z.object({
  useful: count,
  notUseful: count,
  whys: z.array(voteSchema.extend({ at: z.iso.datetime() })),
})

/** Votes and answers about a drop, for the report of its mailing. */
export const adminDropFeedbackCall = defineAdminCall({
  name: 'admin-drop-feedback',
  roles: ['owner', 'editor'],
  input: z.object({ issueId: id }),
  output: z.object({
    /** The present answers first, then those that readers chose before they were reworded. */
    poll: z
      .object({
        question: z.string(),
        answers: z.array(z.object({ text: z.string(), votes: count, isOffered: z.boolean() })),
        closesAt: z.iso.datetime().nullable(),
      })
      .nullable(),
    rating: ratingSchema,
    answers: count,
    /** Replies by email. */
    replies: count,
  }),
})
export type AdminDropFeedback = z.infer<typeof adminDropFeedbackCall.output>

/** The ten newest polls of published drops, for filters of members. */
export const adminPollsCall = defineAdminCall({
  name: 'admin-polls',
  roles: ['owner', 'editor', 'support'],
  input: z.object({}),
  output: z.object({
    /** `answers` includes those that readers chose before they were reworded. */
    items: z.array(z.object({ issueId: z.string(), question: z.string(), answers: z.array(z.string()) })),
  }),
})
export type AdminPoll = z.infer<typeof adminPollsCall.output>['items'][number]

/** Votes on drops and guides, most votes first. */
export const adminItemVotesCall = defineAdminCall({
  name: 'admin-item-votes',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({
    items: z.array(ratingSchema.extend({ kind: z.enum(ratedKinds), id: z.string(), title: z.string() })),
  }),
})
export type AdminItemVotes = z.infer<typeof adminItemVotesCall.output>['items'][number]
