import { useQuery } from '@tanstack/react-query'
import { RotateCcw, RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { changeInstant } from '#client/lib/change-instant.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { inputStyles } from '#client/ui/input-styles.ts'
import { recordingCall, saveListeningCall } from '#shared/contracts/publishing/recordings.ts'
import { formatClock } from '#shared/domain/format-clock.ts'
import { ListenFrame, useSpeed } from './listen-frame.tsx'

/** A recording within this time of its end starts over. */
const endSeconds = 5
/** The position is saved on pause and after this much sound. */
const savedSeconds = 60
const audioEvents = ['timeupdate', 'seeked', 'play', 'pause', 'error'] as const

/** Follows an audio element, which media keys and lock screens control too, and saves its position for other devices. */
function useAudio(audio: HTMLAudioElement, issueId: string) {
  const [state, setState] = useState({ at: 0, isPlaying: false, hasFailed: false })
  useEffect(() => {
    let [saved, at]: [number, string | null] = [0, null]
    const save = () => {
      const seconds = Math.floor(audio.currentTime)
      if (audio.played.length === 0 || seconds === saved) return
      saved = seconds
      at = changeInstant(at)
      sendLater(saveListeningCall, { issueId, seconds, at }, { key: `listening ${issueId}` }).catch(console.error)
    }
    const follow = ({ type }: Event) => {
      setState({ at: audio.currentTime, isPlaying: !audio.paused, hasFailed: audio.error !== null })
      if (type === 'pause' || Math.abs(audio.currentTime - saved) > savedSeconds) save()
    }
    for (const event of audioEvents) audio.addEventListener(event, follow)
    window.addEventListener('pagehide', save)
    return () => {
      for (const event of audioEvents) audio.removeEventListener(event, follow)
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [audio, issueId])
  return state
}

type RecordingPlayerProps = {
  issueId: string
  /** Created in the tap that opened the player. iPhones play no other. */
  audio: HTMLAudioElement
  onClose: () => void
}

/** Plays the recording of a drop from where the reader stopped. The drop on the page is its transcript. */
export default function RecordingPlayer({ issueId, audio, onClose }: RecordingPlayerProps) {
  const { data, error } = useQuery(alwaysStaleQuery(['recording', issueId], recordingCall, { issueId }))
  const { url, seconds = 0, chapters = [], position = 0 } = data ?? {}
  const { at, isPlaying, hasFailed } = useAudio(audio, issueId)
  const speed = useSpeed()
  const start = useRef(0)
  start.current = position < seconds - endSeconds ? position : 0
  // Browsers that want another tap leave it paused.
  const play = () => void audio.play().catch(() => {})

  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once
  useEffect(() => {
    if (!url) return
    audio.src = url
    audio.currentTime = start.current
    play()
    return () => {
      audio.pause()
      audio.removeAttribute('src')
      audio.load()
    }
  }, [audio, url])
  useEffect(() => {
    audio.defaultPlaybackRate = speed
    audio.playbackRate = speed
  }, [audio, speed])

  const go = (to: number) => {
    audio.currentTime = Math.min(Math.max(to, 0), seconds)
  }
  const problem = error ? errorMessage(error) : hasFailed && 'The recording can’t be played. Close it and try again.'
  const clock = `${formatClock(at)} of ${formatClock(seconds)}`
  return (
    <ListenFrame
      isPlaying={isPlaying}
      onPlay={(plays) => (plays ? play() : audio.pause())}
      back={{ icon: RotateCcw, label: 'Back 15 seconds', run: () => go(audio.currentTime - 15) }}
      ahead={{ icon: RotateCw, label: 'Ahead 30 seconds', run: () => go(audio.currentTime + 30) }}
      onClose={onClose}
      problem={problem}
    >
      <div className="grid gap-1 px-2 pb-2 text-sm">
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={clock}
          max={seconds}
          value={Math.floor(at)}
          onChange={({ target }) => go(Number(target.value))}
          className="h-11 w-full accent-(--accent)"
        />
        {chapters.length > 0 && (
          <select
            aria-label="Chapter"
            value={chapters.findLastIndex((chapter) => chapter.start <= at + 0.5)}
            onChange={({ target }) => go(chapters[Number(target.value)]?.start ?? 0)}
            className={`${inputStyles} pointer-fine:text-sm!`}
          >
            <option value={-1}>Beginning</option>
            {chapters.map(({ title, start: begins }, index) => (
              <option key={`${begins} ${title}`} value={index}>
                {formatClock(begins)} {title}
              </option>
            ))}
          </select>
        )}
        <p className="flex flex-wrap items-center justify-between gap-x-3 text-muted tabular-nums">
          <span aria-hidden>{clock}</span>
          <Link to="/account/email#podcast" className="inline-flex min-h-11 items-center text-link">
            In your podcast app
          </Link>
        </p>
      </div>
    </ListenFrame>
  )
}
