import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { inWords } from '#client/lib/own-words.ts'
import { setupChecklistQuery } from './setup-checklist.api.ts'

/** One line on the overview until everything is set up. */
export function SetupLine() {
  const { data } = useQuery(setupChecklistQuery(false))
  // Keeps the place of the line, so that the page below doesn't move.
  if (!data) return <div className="mt-6 min-h-12" />
  const missing = data.items.filter(({ isDone }) => !isDone)
  const [first] = missing
  if (!first) return null
  return (
    <p className="mt-6 flex min-h-12 items-center border-l-3 border-accent bg-accent-soft px-4">
      <Link to="/admin/settings/start" className="text-link inline-flex min-h-11 items-center">
        {missing.length === 1
          ? `Before you go live: ${inWords(first.title)}`
          : `${missing.length} things to set up before you go live`}
      </Link>
    </p>
  )
}
