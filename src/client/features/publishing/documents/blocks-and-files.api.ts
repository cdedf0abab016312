import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke, upload } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminBlocksCall,
  adminDeleteBlockCall,
  adminDeleteImageCall,
  adminGuideFileLinkCall,
  adminGuideFilesCall,
  adminImagesCall,
  adminSaveBlockCall,
  adminUploadGuideFileCall,
  adminUploadImageCall,
} from '#shared/contracts/publishing/publishing-library.ts'

export const blocksQuery = queryOptions({
  queryKey: ['admin-blocks'],
  queryFn: async ({ signal }) => (await invoke(adminBlocksCall, {}, signal)).items,
})

/** Drops that use the block change with it, and so do previews. */
function useInvalidateBlocks() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['admin-blocks', 'admin-preview', 'admin-check-mailing', 'issues'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

export function useSaveBlock() {
  const invalidate = useInvalidateBlocks()
  return useMutation({
    mutationFn: (block: { id: string; version: number; title: string; body: string }) =>
      invoke(adminSaveBlockCall, block),
    onSuccess: invalidate,
  })
}

export function useDeleteBlock() {
  const invalidate = useInvalidateBlocks()
  return useMutation({
    mutationFn: (id: string) => invoke(adminDeleteBlockCall, { id }),
    onSuccess: invalidate,
  })
}

export const imagesQuery = infiniteQueryOptions({
  queryKey: ['admin-images'],
  queryFn: ({ pageParam, signal }) => invoke(adminImagesCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/** Texts that use the image are checked again: a deleted image is available again once it was uploaded again. */
function useInvalidateImages() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['admin-images', 'admin-preview', 'admin-check-mailing'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

export function useUploadImage() {
  const invalidate = useInvalidateImages()
  return useMutation({
    mutationFn: (file: File) => upload(adminUploadImageCall, { name: file.name.slice(0, 200) }, file),
    onSuccess: invalidate,
  })
}

export function useDeleteImage() {
  const invalidate = useInvalidateImages()
  return useMutation({
    mutationFn: (hash: string) => invoke(adminDeleteImageCall, { hash }),
    onSuccess: invalidate,
  })
}

export const guideFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-guide-files', id],
    queryFn: async ({ signal }) => (await invoke(adminGuideFilesCall, { id }, signal)).items,
  })

export const useUploadGuideFile = (id: string) =>
  useMutation({
    mutationFn: (file: File) => upload(adminUploadGuideFileCall, { id, name: file.name.slice(0, 200) }, file),
    onSuccess: useInvalidate(['admin-guide-files', id]),
  })

export const useGuideFileLink = (id: string) =>
  useMutation({ mutationFn: (version: number) => invoke(adminGuideFileLinkCall, { id, version }) })
