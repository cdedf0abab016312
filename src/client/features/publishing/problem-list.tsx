import { TriangleAlert } from 'lucide-react'
import type { Problem } from '#shared/contracts/publishable.ts'

const itemNames: Record<string, string> = { sections: 'Section', prompts: 'Prompt' }

/** "Section 3: The heading is missing". */
function textOf({ path, message }: Problem): string {
  const [list = '', index] = path.split('.')
  const name = itemNames[list]
  return name && index ? `${name} ${Number(index) + 1}: ${message}` : message
}

type ProblemListProps = { problems: readonly Problem[]; onGo: (path: string) => void }

/** Problems that prevent publishing; each one links to its field. */
export function ProblemList({ problems, onGo }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <details className="border-l-3 border-accent bg-accent-soft px-4">
      <summary className="flex min-h-11 list-none items-center gap-2 text-sm font-medium text-accent-ink">
        <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {problems.length === 1 ? 'Fix 1 problem' : `Fix ${problems.length} problems`} before publishing
      </summary>
      <ul className="pb-3 text-sm">
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            <button
              type="button"
              onClick={() => onGo(problem.path)}
              className="flex min-h-11 w-full items-center rounded-sm text-left underline underline-offset-4 sm:min-h-8"
            >
              {textOf(problem)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
