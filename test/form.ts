/** An upload as a browser sends it, for requests that come in through `inject`. */
export async function uploadOf(
  files: { name: string; bytes: Uint8Array }[],
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const { name, bytes } of files) form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const encoded = new Response(form)
  return {
    method: 'POST',
    url: '/api/upload',
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type')! },
  } as const
}
