/**
 * Files that a phone's share menu has sent to the installed app. The service worker keeps them in a
 * cache of their own, and the dashboard takes them from there, even if somebody must sign in first. A
 * file is removed when it has arrived at the server or is thrown away, all of them when somebody logs
 * out, and those that nobody took after a day.
 */
import { SHARED, forgetShared, setShared } from './shared-origin.ts'

/** Where the share menu posts to: the manifest names it, and the server knows it too. */
export const SHARE_PATH = '/share-target'

const DAY_MS = 24 * 60 * 60 * 1000

/** `yes`, or `none` where no file was shared. Throws where there is no room. */
export async function keepShared(form: FormData): Promise<'yes' | 'none'> {
  const files = form.getAll('files').filter((part) => part instanceof File)
  const given = files.filter(({ size }) => size > 0)
  if (given.length === 0) return 'none'
  const title = form.get('title')
  const cache = await caches.open(SHARED)
  const keptAt = Date.now()
  await Promise.all(
    given.map((file, index) => {
      const name = nameOf(file, given.length === 1 && typeof title === 'string' ? title : '')
      const headers = {
        'Content-Type': file.type,
        'X-Name': encodeURIComponent(name),
        'X-Modified': String(file.lastModified),
        'X-Kept-At': String(keptAt),
      }
      const place = `/shared/${keptAt}-${String(index).padStart(4, '0')}`
      return cache.put(place, new Response(file, { headers }))
    }),
  )
  return 'yes'
}

/** In the order in which they were shared. Files that have lain there for a day are gone. */
export async function readShared(): Promise<File[]> {
  if (!('caches' in globalThis) || !(await caches.has(SHARED))) return []
  const cache = await caches.open(SHARED)
  const places = (await cache.keys()).map(({ url }) => url).sort()
  const files: File[] = []
  for (const place of places) {
    const kept = await cache.match(place)
    if (!kept) continue
    const { headers } = kept
    const file = new File([await kept.blob()], decodeURIComponent(headers.get('X-Name') ?? ''), {
      type: headers.get('Content-Type') ?? '',
      // The same after a reload, so that the parts of it that were sent are known again.
      lastModified: Number(headers.get('X-Modified')),
    })
    setShared(file, place)
    if (Date.now() - Number(headers.get('X-Kept-At')) > DAY_MS) await forgetShared(file)
    else files.push(file)
  }
  return files
}

/** Endings by media type, for files of phones' recorders that come without one. */
const endings: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/webm': 'webm',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** The title that came with it, else its own name; with the ending of its type. */
export function nameOf({ name, type }: Pick<File, 'name' | 'type'>, title: string): string {
  const ending = /\.[a-z0-9]{2,5}$/i.exec(name)?.[0]
  const known = endings[type.split(';')[0] ?? '']
  const rest = ending ?? (known ? `.${known}` : '')
  const stem = title.trim() || name.slice(0, name.length - (ending?.length ?? 0)) || 'Shared'
  return stem.toLowerCase().endsWith(rest.toLowerCase()) ? stem : stem + rest
}
