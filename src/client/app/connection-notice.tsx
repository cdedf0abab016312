import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { useOnline, useWaitingForServer } from '#client/lib/connection.ts'
import { useServedFromDevice } from '#client/lib/offline/served-from-device.ts'
import { announce } from '#client/ui/announce.ts'

/** Floats above the tabs while there is no connection, so the page doesn't move. */
export function ConnectionNotice() {
  const online = useOnline()
  const waiting = useWaitingForServer()
  const checkedAt = useServedFromDevice()
  if (online && !waiting && checkedAt === null) return null
  return (
    <NoticeBar
      title={online ? 'We can’t reach the server.' : 'You’re offline.'}
      text={
        waiting
          ? 'The page you chose opens when you’re back.'
          : checkedAt === null
            ? 'You can keep reading. Everything else loads when you’re back.'
            : `This is from ${savedAt.format(checkedAt)}.`
      }
    />
  )
}

const savedAt = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

function NoticeBar({ title, text }: { title: string; text: string }) {
  useEffect(() => announce(`${title} ${text}`), [title, text])
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--bottom-bar)+0.5rem)] z-30 flex justify-center px-4 sm:bottom-6 print:hidden">
      <p className="flex items-center gap-3 rounded-md border border-line bg-surface px-4 py-3 text-sm shadow-lg">
        <WifiOff aria-hidden className="size-5 shrink-0 text-danger" strokeWidth={1.75} />
        <span>
          <strong className="font-semibold">{title}</strong> {text}
        </span>
      </p>
    </div>
  )
}
