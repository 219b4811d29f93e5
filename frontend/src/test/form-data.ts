import { File as NodeFile } from 'node:buffer'

async function parse(request: Request): Promise<FormData> {
  const body = new Response(await request.arrayBuffer(), { headers: request.headers })
  const jsdomFile = globalThis.File
  globalThis.File = NodeFile as unknown as typeof File
  try {
    return await body.formData()
  } finally {
    globalThis.File = jsdomFile
  }
}

/** Node's own `Request`, an ancestor of the test environment's. */
let prototype = Request.prototype
while (!Object.hasOwn(prototype, 'formData')) prototype = Object.getPrototypeOf(prototype)

let last: Promise<unknown> = Promise.resolve()

/**
 * Lets mock handlers read forms with files, one at a time. Node 24 builds each file with the global `File`,
 * which is jsdom's here, and then rejects it as foreign.
 */
prototype.formData = function formData(this: Request): Promise<FormData> {
  const form = last.then(() => parse(this))
  last = form.catch(() => {})
  return form
}
