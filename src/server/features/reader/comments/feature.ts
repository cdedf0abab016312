import { eq } from 'drizzle-orm'
import { commentAuthor } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/comments.ts'
import { listComments, moderateComment, suspendCommenter } from './moderate-comments.ts'
import { readComments } from './read-comments.ts'
import { changeComment, deleteComments, markComment, postComment, saveName } from './write-comment.ts'

/** Answers under drops, and their moderation. */
export const commentsFeature: Feature = {
  calls: (deps) => [
    implement(contracts.commentsCall, (input, who) => readComments(deps, who, input)),
    implement(contracts.postCommentCall, (input, who) => postComment(deps, who, input)),
    implement(contracts.changeCommentCall, (input, who) => changeComment(deps, who, input)),
    implement(contracts.markCommentCall, (input, who) => markComment(deps, who, input)),
    implement(contracts.commentNameCall, async ({ save }, { userId }) => {
      const { db } = deps.database
      if (save) await db.transaction((tx) => saveName(tx, userId, save, deps.clock()))
      const [own] = await db.select().from(commentAuthor).where(eq(commentAuthor.userId, userId))
      return { name: own?.name ?? null }
    }),
    implement(contracts.adminCommentsCall, (input, who) => listComments(deps, who, input)),
    implement(contracts.adminModerateCommentCall, (input, who) => moderateComment(deps, who, input)),
    implement(contracts.adminSuspendCommenterCall, (input, who) => suspendCommenter(deps, who, input)),
  ],
  onAccountDeleted: deleteComments,
}
