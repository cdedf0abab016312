import { ArrowDown, ArrowUp } from 'lucide-react'
import { IconButton } from './button.tsx'

type Direction = 'up' | 'down'

type MoveButtonsProps = {
  label: (direction: Direction) => string
  isFirst: boolean
  isLast: boolean
  /** Disables both, such as while the order is saved. */
  disabled?: boolean
  onMove: (by: 1 | -1, direction: Direction) => void
}

/** Move an entry of a list up or down. `data-move` names the direction for callers that restore the focus. */
export function MoveButtons({ label, isFirst, isLast, disabled = false, onMove }: MoveButtonsProps) {
  return (
    <>
      <IconButton
        icon={ArrowUp}
        data-move="up"
        label={label('up')}
        disabled={isFirst || disabled}
        className="disabled:opacity-30"
        onClick={() => onMove(-1, 'up')}
      />
      <IconButton
        icon={ArrowDown}
        data-move="down"
        label={label('down')}
        disabled={isLast || disabled}
        className="disabled:opacity-30"
        onClick={() => onMove(1, 'down')}
      />
    </>
  )
}
