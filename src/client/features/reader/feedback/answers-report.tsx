import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ownWords } from '#client/lib/publication.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminAnswer, AdminItemVotes, ReplyMailbox } from '#shared/contracts/reader/feedback.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { answersQuery, itemVotesQuery } from './feedback-report.api.ts'
import { Rating } from './rating.tsx'

/** Answers to the closing questions of drops, and replies by email, newest first. */
export function Answers() {
  const answers = useInfiniteQuery(answersQuery)
  const all = answers.data?.pages.flatMap((page) => page.items) ?? []
  const mailbox = answers.data?.pages[0]?.mailbox
  return (
    <Section title="Answers to your questions" lede={mailbox && <MailboxText mailbox={mailbox} />}>
      <InfiniteList
        query={answers}
        what="the answers"
        skeleton={<SkeletonText lines={4} height="h-20" />}
        empty={
          all.length === 0 ? ownWords`No one has answered yet. The question is one of the details of a drop.` : null
        }
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

const MailboxText = ({ mailbox: { readAt, automatic, others } }: { mailbox: ReplyMailbox }) => (
  <>
    With members’ replies to your emails.{' '}
    {readAt ? (
      <>
        The mailbox was last read <Timestamp inline at={readAt} />. All emails stay in it as they were, also{' '}
        {formatCount(others, 'other email')} and {formatCount(automatic, 'automatic one')} that aren’t shown here.
      </>
    ) : (
      'The mailbox hasn’t been read yet.'
    )}
  </>
)

const AnswerRow = ({ answer: { text, question, reply, isCase, drop, at, member } }: { answer: AdminAnswer }) => (
  <li className="border-t border-line py-4">
    <p className="text-sm font-semibold wrap-anywhere">{reply ? `Reply to “${reply.subject}”` : question}</p>
    <p className={`mt-1 measure whitespace-pre-line wrap-anywhere ${text ? '' : 'text-muted'}`}>{text || 'No text'}</p>
    {reply && <ReplyNotes reply={reply} />}
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
        <>
          <Link to={`/admin/content/drops/${drop.id}`} className="text-link">
            {drop.title}
          </Link>
          ,{' '}
        </>
      ) : (
        !reply && !isCase && ownWords`a drop that was deleted, `
      )}
      {reply && 'by email, '}
      <Timestamp inline at={at} />
    </p>
  </li>
)

function ReplyNotes({ reply }: { reply: NonNullable<AdminAnswer['reply']> }) {
  const notes = [
    reply.isShortened && 'Shortened: the whole email is in your mailbox.',
    reply.attachments.length > 0 && `Attachments in your mailbox: ${reply.attachments.join(', ')}.`,
    !reply.isVerified && 'Matched by the sender’s address and the subject alone, which anyone can write.',
  ].filter((note) => note !== false)
  return notes.length > 0 && <p className="mt-1 text-sm text-muted wrap-anywhere">{notes.join(' ')}</p>
}

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
          <p className="text-muted">{ownWords`No one has voted yet. Readers vote at the end of a drop, and below a guide.`}</p>
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
      <span className="ml-3 text-sm font-normal text-muted">{item.kind === 'guide' ? 'Guide' : ownWords`Drop`}</span>
    </p>
    <Rating rating={item} />
  </li>
)
