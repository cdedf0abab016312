import { useQuery } from '@tanstack/react-query'
import { pollsQuery } from '#client/features/reader/feedback/feedback-report.api.ts'
import { pollToken, readPollToken } from '#shared/domain/poll.ts'
import { Checks } from './filter-controls.tsx'

/** A group of answers for each poll. Votes that the filter names are there at once, and also if their poll isn't listed. */
export function PollFilters({ chosen }: { chosen: readonly string[] }) {
  const { data } = useQuery(pollsQuery)
  const polls = (data?.items ?? []).map(({ issueId, question, answers }) => ({
    issueId,
    question,
    options: Object.fromEntries(answers.map((answer) => [pollToken(issueId, answer), answer])),
  }))
  const others = chosen.filter((token) => !polls.some(({ options }) => token in options))
  return (
    <>
      {polls.map(({ issueId, question, options }) => (
        <Checks key={issueId} legend={`Poll: ${question}`} name="polls" options={options} chosen={chosen} />
      ))}
      {others.length > 0 && (
        <Checks
          legend="Other polls"
          name="polls"
          options={Object.fromEntries(others.map((token) => [token, readPollToken(token).answer]))}
          chosen={others}
        />
      )}
    </>
  )
}
