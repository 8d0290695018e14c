import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "..", "static", "vendor");

/** Bundle both files and return the folders of all packages that went into them. */
async function bundle() {
  const { metafile } = await build({
    absWorkingDir: HERE,
    entryPoints: ["src/preact.js", "src/codemirror.js"],
    outdir: OUT,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
  });
  const folders = Object.keys(metafile.inputs)
    .map((input) => input.match(/^(node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1])
    .filter(Boolean);
  return [...new Set(folders)].sort();
}

/** Write the licence of every package, in full, into one file. */
function writeLicences(folders) {
  const parts = folders.map((folder) => {
    const at = join(HERE, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(at, file), "utf8").replaceAll("\r\n", "\n").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(join(OUT, "LICENCES.txt"), parts.join(`\n${"-".repeat(72)}\n\n`));
}

/** Write the digest of every file, as `sha256sum` does. */
function writeDigests() {
  const names = readdirSync(OUT)
    .filter((name) => name !== "SHA256SUMS")
    .sort();
  const lines = names.map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(OUT, name)))
      .digest("hex");
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(OUT, "SHA256SUMS"), lines.join(""));
}

writeLicences(await bundle());
writeDigests();
