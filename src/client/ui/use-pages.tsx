import { useState } from 'react'
import { Button } from './button.tsx'

const pageSize = 10

/** Shows the first items of a list that is loaded as a whole, and ten more with each click. */
export function usePages<Item>(items: readonly Item[]) {
  const [limit, setLimit] = useState(pageSize)
  return {
    shown: items.slice(0, limit),
    /** How many aren't shown. */
    hidden: Math.max(0, items.length - limit),
    showMore: () => setLimit(limit + pageSize),
    /** Shows the first ones again, such as after another search. */
    restart: () => setLimit(pageSize),
  }
}

type ShowMoreProps = { hidden: number; what: string; onClick: () => void }

/** "Show 10 more members", while there are more. */
export const ShowMore = ({ hidden, what, onClick }: ShowMoreProps) =>
  hidden > 0 && (
    <Button variant="secondary" className="mt-5" onClick={onClick}>
      Show {Math.min(hidden, pageSize)} more {what}
    </Button>
  )
