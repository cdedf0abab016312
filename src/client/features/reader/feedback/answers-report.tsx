import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminAnswer, AdminItemVotes } from '#shared/contracts/reader/feedback.ts'
import { answersQuery, itemVotesQuery } from './feedback-report.api.ts'
import { Rating } from './rating.tsx'

/** Answers to the closing questions of drops, newest first. */
export function Answers() {
  const answers = useInfiniteQuery(answersQuery)
  const all = answers.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section title="Answers to your questions">
      <InfiniteList
        query={answers}
        what="the answers"
        skeleton={<SkeletonText lines={4} height="h-20" />}
        empty={all.length === 0 ? 'No one has answered yet. The question is one of the details of a drop.' : null}
      >
        <ul aria-label="Answers to your questions" className="border-b border-line">
          {all.map((answer) => (
            <AnswerRow key={answer.id} answer={answer} />
          ))}
        </ul>
      </InfiniteList>
    </Section>
  )
}

const AnswerRow = ({ answer: { text, question, drop, at, member } }: { answer: AdminAnswer }) => (
  <li className="border-t border-line py-4">
    <p className="text-sm font-semibold wrap-anywhere">{question}</p>
    <p className="mt-1 measure whitespace-pre-line wrap-anywhere">{text}</p>
    <p className="mt-1 text-sm text-muted wrap-anywhere">
      {member && (
        <>
          <Link to={`/admin/members/${member.id}`} className="text-link">
            {member.name}
          </Link>
          ,{' '}
        </>
      )}
      {drop ? (
        <Link to={`/admin/content/drops/${drop.id}`} className="text-link">
          {drop.title}
        </Link>
      ) : (
        'a drop that was deleted'
      )}
      , <Timestamp inline at={at} />
    </p>
  </li>
)

/** Votes on drops and guides, with reasons. */
export function ItemVotes() {
  const votes = useQuery(itemVotesQuery)
  return (
    <Section title="Useful or not">
      {votes.data ? (
        votes.data.items.length > 0 ? (
          <ul aria-label="Useful or not" className="border-b border-line">
            {votes.data.items.map((item) => (
              <VotesRow key={`${item.kind} ${item.id}`} item={item} />
            ))}
          </ul>
        ) : (
          <p className="text-muted">No one has voted yet. Readers vote at the end of a drop, and below a guide.</p>
        )
      ) : votes.isError ? (
        <LoadError what="the votes" query={votes} />
      ) : (
        <SkeletonText lines={4} height="h-16" />
      )}
    </Section>
  )
}

const VotesRow = ({ item }: { item: AdminItemVotes }) => (
  <li className="border-t border-line py-4">
    <p className="font-semibold wrap-anywhere">
      {item.title}
      <span className="ml-3 text-sm font-normal text-muted">{item.kind === 'guide' ? 'Guide' : 'Drop'}</span>
    </p>
    <Rating rating={item} />
  </li>
)
