import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef } from 'react'
import type { GuidePage } from '#shared/contracts/library.ts'
import { guidesQuery } from './guides.api.ts'

type PageImageProps = { page: GuidePage; alt: string; className?: string }

/** A page on white paper, in dark mode too. Its size is known before it loads. */
export function PageImage({ page, alt, className }: PageImageProps) {
  const queryClient = useQueryClient()
  const hasFailed = useRef(false)

  /** The link has expired if the tab was open for hours. New links come with the list. */
  const handleError = () => {
    if (hasFailed.current) return
    hasFailed.current = true
    void queryClient.invalidateQueries({ queryKey: guidesQuery.queryKey })
  }

  return (
    <img
      src={page.path}
      width={page.width}
      height={page.height}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={handleError}
      className={clsx('rounded-sm border border-line bg-sunken', className)}
    />
  )
}
