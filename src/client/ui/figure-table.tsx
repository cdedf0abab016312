import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ScrollBox } from './scroll-box.tsx'

type FigureTableProps = {
  /** Names the table. */
  caption: string
  /** True if a heading above the table says the same. */
  hidesCaption?: boolean
  /** The head of the first column, which names the rows. */
  head: string
  columns: readonly string[]
  rows: readonly { id: string; name: ReactNode; figures: readonly ReactNode[]; isSum?: boolean }[]
  className?: string
}

/** A table of figures. On a phone it scrolls sideways by touch and arrow keys, with a sticky first column. */
export function FigureTable({ caption, hidesCaption, head, columns, rows, className }: FigureTableProps) {
  const first = 'sticky left-0 bg-background py-2.5 pr-4 text-left font-medium [overflow-wrap:anywhere]'
  return (
    <ScrollBox label={caption} className={clsx('overflow-x-auto scroll-edge', className)}>
      <table className="w-full text-right text-sm tabular-nums" aria-label={caption}>
        {!hidesCaption && <caption className="pb-2 text-left text-base font-semibold">{caption}</caption>}
        <thead>
          <tr className="border-b border-line-strong whitespace-nowrap text-muted">
            <th scope="col" className={first}>
              {head}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2.5 pl-5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ id, name, figures, isSum }) => (
            <tr key={id} className={clsx('align-top whitespace-nowrap', isSum && 'font-semibold')}>
              <th scope="row" className={first}>
                {name}
              </th>
              {figures.map((figure, at) => (
                <td key={columns[at]} className="py-2.5 pl-5">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
