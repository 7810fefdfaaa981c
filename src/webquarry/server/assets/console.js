"use strict";

function argumentOf(input) {
  const text = input.value;
  if (text === "") return undefined;
  if (input.dataset.type === "string") return text;
  try { return JSON.parse(text); } catch { return text; }
}

async function run(form, output) {
  const args = {};
  for (const input of form.querySelectorAll("input")) {
    const value = argumentOf(input);
    if (value !== undefined) args[input.name] = value;
  }
  output.classList.remove("failed");
  output.textContent = "…";
  try {
    const answer = await fetch("/v1/tools/" + form.dataset.tool, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(args),
    });
    const body = await answer.json();
    output.classList.toggle("failed", !answer.ok);
    output.textContent = JSON.stringify(body, null, 2);
  } catch (error) {
    output.classList.add("failed");
    output.textContent = "The server did not answer: " + error.message;
  }
}

for (const form of document.querySelectorAll("form[data-tool]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(form, form.querySelector("output"));
  });
}
