import type { Tool } from '#shared/contracts/library/library.ts'
import { formatDay } from '#shared/domain/format.ts'
import { ratingText } from './rating.tsx'

/** The print version of the tool list. */
export function ToolTable({ tools }: { tools: readonly Tool[] }) {
  return (
    <table className="hidden w-full text-left align-top text-xs print:table">
      <thead>
        <tr className="border-b-2 border-ink">
          {['Tool', 'Verdict', 'Good for', 'Watch out'].map((name) => (
            <th key={name} scope="col" className="py-1.5 pr-4 font-semibold">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tools.map((tool) => (
          <tr key={tool.id} className="break-inside-avoid border-b border-line align-top">
            <th scope="row" className="w-[22%] py-2 pr-4 font-semibold">
              {tool.name}
              <span className="block font-normal">{tool.category}</span>
              <span className="block font-normal">{ratingText(tool.rating)}</span>
              {tool.checkedOn && <span className="block font-normal">Last checked {formatDay(tool.checkedOn)}</span>}
              {tool.testedOn && <span className="block font-normal">Tested on {formatDay(tool.testedOn)}</span>}
              <span className="block font-normal [overflow-wrap:anywhere]">{new URL(tool.url).host}</span>
            </th>
            <td className="w-[30%] py-2 pr-4">
              {tool.verdict}
              {tool.priceNote && <span className="mt-1 block">Price: {tool.priceNote}</span>}
              {tool.skipIf && <span className="mt-1 block">{tool.skipIf}</span>}
            </td>
            <td className="py-2 pr-4">
              <Lines of={tool.goodFor} />
            </td>
            <td className="py-2">
              <Lines of={tool.watchOut} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ of: lines }: { of: readonly string[] }) {
  return (
    <ul className="list-disc pl-4">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
