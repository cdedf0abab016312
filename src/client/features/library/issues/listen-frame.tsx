import { type LucideIcon, Pause, Play, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { IconButton } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'

const speeds = ['0.75', '1', '1.25', '1.5', '2']
const speedChoice = createStoredChoice('front-counter:speed')

/** How fast this device plays, as a factor. */
export const useSpeed = (): number => Number(speedChoice.useChoice() ?? '1')

type Step = { icon: LucideIcon; label: string; run: () => void }

type ListenFrameProps = {
  isPlaying: boolean
  onPlay: (plays: boolean) => void
  back: Step
  ahead: Step
  onClose: () => void
  /** An error message. */
  problem?: string | false
  /** Below the buttons. */
  children?: ReactNode
}

/** The floating player bar. Takes the focus and returns it on close. */
export function ListenFrame({ isPlaying, onPlay, back, ahead, onClose, problem, children }: ListenFrameProps) {
  const speed = useSpeed()
  const playButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    playButton.current?.focus()
    return () => {
      // The button that had the focus is gone.
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      aria-label="Listen"
      data-floating-offer
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-20 mx-auto max-w-md rounded-lg border border-line bg-surface px-2 py-1 shadow-float print:hidden"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-1">
        <div className="flex">
          <IconButton icon={back.icon} label={back.label} onClick={back.run} />
          <IconButton
            ref={playButton}
            icon={isPlaying ? Pause : Play}
            label={isPlaying ? 'Pause' : 'Play'}
            onClick={() => onPlay(!isPlaying)}
          />
          <IconButton icon={ahead.icon} label={ahead.label} onClick={ahead.run} />
        </div>
        <label>
          <span className="sr-only">Speed</span>
          <select
            value={speed}
            onChange={({ target }) => speedChoice.choose(target.value)}
            className={`${inputStyles} w-auto! pointer-fine:text-sm!`}
          >
            {speeds.map((value) => (
              <option key={value} value={value}>
                {value} ×
              </option>
            ))}
          </select>
        </label>
        <IconButton icon={X} label="Stop listening" onClick={onClose} />
      </div>
      {children}
      {problem && (
        <p role="alert" className="px-2 pb-2 text-sm">
          {problem}
        </p>
      )}
    </section>
  )
}
