import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { CallError, pagedQuery } from '#client/lib/calls.ts'
import { ownWords } from '#client/lib/publication.ts'
import { announce } from '#client/ui/announce.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { ErrorState, SkeletonText } from '#client/ui/loading.tsx'
import { type CommentItem, commentsCall } from '#shared/contracts/reader/comments.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { CommentArticle } from './comment-article.tsx'
import { CommentForm } from './comment-form.tsx'

export const commentsQuery = (issueId: string) => pagedQuery(['comments', issueId], commentsCall, { issueId })

/** The answers under a drop with their replies, and the form for a new one. */
export default function Conversation({ issueId }: { issueId: string }) {
  const query = useInfiniteQuery(commentsQuery(issueId))
  const [replyTo, setReplyTo] = useState<string | null>(null)
  const [posted, setPosted] = useState<CommentItem | null>(null)
  const { hash } = useLocation()
  const target = posted ? `answer-${posted.id}` : hash.slice(1)
  const focused = useRef('')
  // Focuses the new answer, or the one that a link leads to, once. A new reply appears after the list was refetched.
  useEffect(() => {
    if (!query.data || focused.current === target || !target.startsWith('answer-')) return
    const answer = document.getElementById(target)
    if (answer) focused.current = target
    answer?.focus()
  }, [query.data, target])
  const [first] = query.data?.pages ?? []
  const loaded = query.data?.pages.flatMap((page) => page.items) ?? []
  // The reader's new answer stays at the top until they open the page again.
  const own = posted && posted.parentId === null ? (loaded.find(({ id }) => id === posted.id) ?? posted) : null
  const items = own ? [own, ...loaded.filter(({ id }) => id !== own.id)] : loaded
  const handlePosted = (comment: CommentItem) => {
    setReplyTo(null)
    setPosted(comment)
    announce(comment.state === 'held' ? 'Your answer is waiting for the editor’s approval' : 'Your answer was posted')
  }
  const { error } = query
  if (!first && error instanceof CallError && ['comments_closed', 'not_found'].includes(error.code))
    return <ErrorState title="These answers aren’t available">{error.message}</ErrorState>
  const form = { issueId, asksName: first?.hasName === false, onPosted: handlePosted }
  const article = { issueId, mayPost: first?.canPost ?? false }
  return (
    <section aria-labelledby="answers" className="border-t border-line pt-8">
      <h2 id="answers" className="mb-4 display text-2xl">
        {first && first.count > 0 ? formatCount(first.count, 'answer') : 'Answers'}
      </h2>
      {first?.canPost && (
        <CommentForm {...form} label="What worked for you, or what do you want to know?" action="Post answer" mayAsk />
      )}
      <div className="mt-6">
        <InfiniteList
          query={query}
          what="the answers"
          skeleton={<SkeletonText lines={4} height="h-20" />}
          empty={items.length === 0 ? ownWords`No one has answered this drop yet.` : null}
        >
          <ol aria-labelledby="answers" className="border-b border-line">
            {items.map(({ replies, ...comment }) => (
              <li key={comment.id} className="border-t border-line">
                <CommentArticle {...article} comment={comment} onReply={() => setReplyTo(comment.id)} />
                {replies.length > 0 && (
                  <ol
                    aria-label={`Replies to ${comment.author.name || 'a deleted answer'}`}
                    className="ml-4 border-l border-line pl-4"
                  >
                    {replies.map((reply) => (
                      <li key={reply.id}>
                        <CommentArticle {...article} comment={reply} onReply={() => setReplyTo(comment.id)} />
                      </li>
                    ))}
                  </ol>
                )}
                {replyTo === comment.id && (
                  <div className="mb-4 ml-4">
                    <CommentForm
                      {...form}
                      parentId={comment.id}
                      label="Your reply"
                      action="Post reply"
                      onClose={() => setReplyTo(null)}
                    />
                  </div>
                )}
              </li>
            ))}
          </ol>
        </InfiniteList>
      </div>
    </section>
  )
}
