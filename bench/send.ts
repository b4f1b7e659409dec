/** Sends a request, and throws if the answer is not 2xx. */
export async function send(method: string, url: string, body: object): Promise<Response> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${await answer.text()}`)
  return answer
}
