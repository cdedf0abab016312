import type { Tool } from '#shared/contracts/library.ts'

/** Links to the tools of the page, so that readers find the one for their job. */
export function ToolContents({ tools }: { tools: readonly Tool[] }) {
  return (
    <nav aria-label="Tools on this page" className="border-b border-line py-4 print:hidden">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-x-6 text-sm lg:grid-cols-4">
        {tools.map((tool) => (
          <li key={tool.id}>
            <a href={`#${tool.id}`} className="group flex min-h-13 flex-col justify-center py-1 leading-snug">
              <span className="font-semibold group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
                {tool.category}
              </span>
              <span className="text-muted">{tool.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
