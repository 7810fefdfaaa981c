"""Names of fields and labels of pages: when do two of them mean the same?"""

import re
from dataclasses import dataclass
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset("the a an of for in your our this per".split())


@lru_cache(maxsize=4096)
def key_of(text: str) -> str:
    """Return a name in one spelling: `reviewCount`, `Review count:` and `review_counts` agree."""
    words = _WORD.findall(_CAMEL.sub(" ", text[:120]).lower())
    return " ".join(_singular(word) for word in words if word not in _SMALL)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1]


@dataclass(frozen=True)
class Concept:
    """One thing pages tell: what it is called, and where machines find it."""

    name: str
    labels: frozenset[str]
    paths: tuple[str, ...] = ()  # in schema.org statements
    metas: tuple[str, ...] = ()
    kind: str = "text"  # how its text is read


def _concept(line: str) -> Concept:
    name, labels, paths, metas, kind = (part.strip() for part in line.split("|"))
    keys = frozenset(key_of(label) for label in [name, *labels.split(",")] if label.strip())
    return Concept(name, keys, tuple(paths.split()), tuple(metas.split()), kind or "text")


# name | what it is called besides | statements | meta tags | kind
_TABLE = """
name|title, headline, heading, product name, product title, recipe name, recipe title, event name, event title, article title, full name, person name, item name, item, product, book title, event|name headline title|og:title|
job title|position, role, occupation, job, vacancy|jobTitle title||
price|cost, our price, current price, sale price, now, product price, amount, ticket price, fee, admission, entry, price now|offers.price offers.lowPrice offers.priceSpecification.price price|product:price:amount og:price:amount|price
currency|price currency, currency code|offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency baseSalary.currency|product:price:currency og:price:currency|currency
availability|in stock, stock, stock status, available, is in stock, is available|offers.availability availability|product:availability og:availability|availability
brand|make, brand name|brand.name brand|product:brand|
manufacturer|made by, maker|manufacturer.name manufacturer||
sku|item number, article number, product code, item no, part number, article no, product id, model number, item code|sku productID mpn|product:retailer_item_id|
gtin|ean, upc, barcode, gtin13|gtin13 gtin gtin12 gtin14 gtin8||
model|model name|model.name model||
rating|customer rating, average rating, rating value, score, star, user rating, overall rating, review score|aggregateRating.ratingValue reviewRating.ratingValue ratingValue||rating
review count|review, number review, rating count, rating, number rating, customer review, total review|aggregateRating.reviewCount aggregateRating.ratingCount reviewCount ratingCount||count
description|summary, about, overview, abstract, teaser|description|og:description description|
image|picture, photo, thumbnail, image url, photo url|image.url image.contentUrl image thumbnailUrl|og:image|url
url|link, website, web site, homepage, web, page url|url|og:url|url
author|by, written by, writer, author name, byline, recipe by, creator|author.name creator.name author creator|author article:author citation_author|person
published|date published, publication date, publish date, published date, published on, published at, posted on, release date, first published|datePublished uploadDate dateCreated|article:published_time citation_publication_date|date
modified|date modified, updated, last updated, updated on, last modified, modified date|dateModified|article:modified_time og:updated_time|date
date|when, date time, day, date and time|startDate datePublished datePosted||date
section|article section, rubric, desk|articleSection|article:section|
category|product category, department, course, recipe category, genre, type|category recipeCategory genre articleSection|product:category|
keyword|tag, topic, subject|keywords|keywords news_keywords|list
prep time|preparation time, prep, preparation|prepTime||duration
cook time|cooking time, cook, baking time, bake time|cookTime||duration
total time|ready in, time, total, overall time|totalTime||duration
duration|length, running time, runtime, time required|duration timeRequired||duration
yield|serving, serve, make, portion, number serving, recipe yield, servings count|recipeYield yield||count
ingredient|recipe ingredient, what you need, you will need, ingredient list|recipeIngredient ingredients||list
instruction|step, method, direction, preparation step, how to make it, how to, recipe instruction|recipeInstructions.text recipeInstructions.itemListElement.text recipeInstructions||list
cuisine|recipe cuisine, kitchen|recipeCuisine||
calory|energy, kcal, calories per serving|nutrition.calories||number
start date|start, starts at, begin, start time, event date, date and time, doors open, start on, from|startDate||date
end date|end, ends at, finish, end time, until, end on|endDate||date
venue|location name, place, venue name|location.name||
location|where, place, job location, work location, office, based in, city|location.name jobLocation.address location.address location jobLocation.name||
address|postal address, street address, mailing address, visit us, find us, full address|address location.address jobLocation.address||address
street|street address, address line|address.streetAddress location.address.streetAddress jobLocation.address.streetAddress streetAddress||
city|town, locality|address.addressLocality location.address.addressLocality jobLocation.address.addressLocality addressLocality||
region|state, province, county|address.addressRegion location.address.addressRegion jobLocation.address.addressRegion addressRegion||
postal code|zip, zip code, postcode|address.postalCode location.address.postalCode jobLocation.address.postalCode postalCode||
country|nation|address.addressCountry.name address.addressCountry location.address.addressCountry jobLocation.address.addressCountry addressCountry||
organizer|organiser, hosted by, host, presented by, organized by, organised by|organizer.name organizer||
performer|artist, speaker, with, lineup, line up, presenter, act|performer.name performer||
company|employer, hiring organization, hiring organisation, organization, organisation, company name, firm|hiringOrganization.name worksFor.name||
affiliation|work for, institution, institute, employer, university, organization, organisation, works at, company|affiliation.name worksFor.name||
department|faculty, division, team, unit|department.name department||
salary|base salary, pay, compensation, annual salary, wage, remuneration, salary range|baseSalary.value.value baseSalary.value baseSalary||price
salary min|min salary, minimum salary, salary from, lowest salary|baseSalary.value.minValue baseSalary.minValue||price
salary max|max salary, maximum salary, salary to, highest salary|baseSalary.value.maxValue baseSalary.maxValue||price
employment type|job type, contract type, contract, work type, working time, employment, type of employment|employmentType||
date posted|posted, posted date, posted at, listed, posted on, date listed, publication date|datePosted||date
valid through|deadline, apply by, closing date, application deadline, apply until, closes, close|validThrough||date
remote|is remote, remote work, work from home, home office, telecommute, remote possible|jobLocationType||remote
skill|requirement, qualification, skill required, what you bring, your profile|skills qualifications||list
responsibility|duty, task, what you will do, your task|responsibilities||list
benefit|perk, what we offer, we offer|jobBenefits||list
email|e mail, mail, email address, e mail address, contact email|email contactPoint.email||email
phone|telephone, tel, phone number, telephone number, call, call us, mobile|telephone contactPoint.telephone phone||phone
birth date|born, date birth, birthday, date of birth|birthDate||date
nationality|citizenship|nationality.name nationality||
education|alma mater, degree, alumni|alumniOf.name alumniOf||
research interest|interest, research area, expertise, field research, knows about, specialty|knowsAbout||list
isbn|isbn13, isbn 13|isbn|book:isbn|
publisher|published by|publisher.name publisher||
page|number page, page count, print length|numberOfPages||count
language|in language|inLanguage.name inLanguage||
weight|item weight, net weight|weight||
color|colour|color||
material|fabric, made of|material||
size|dimension, measurement|size||
warranty|guarantee|warranty||
site|site name, publication, newspaper|publisher.name|og:site_name|
word count|number word|wordCount||count
fax|fax number|faxNumber||phone
opening hour|hour, open, business hour|openingHours||
"""
CONCEPTS = tuple(_concept(line) for line in _TABLE.strip().splitlines())
_BY_LABEL: dict[str, tuple[Concept, ...]] = {}
for _one in CONCEPTS:
    for _label in sorted(_one.labels):
        _BY_LABEL[_label] = (*_BY_LABEL.get(_label, ()), _one)


def concepts_of(key: str) -> tuple[Concept, ...]:
    """Return what a name may mean, that of its own name first."""
    found = _BY_LABEL.get(key, ())
    return tuple(sorted(found, key=lambda concept: key_of(concept.name) != key))


# what pages put in front of the name of a thing, or behind it
_BEFORE = frozenset(
    "product recipe event job person profile article post item page entry pdp book listing detail "
    "main meta card info vacancy staff member contact single content p js field spec data".split()
)
_BEHIND = frozenset("value text field info val content line wrapper main name".split())


def bare_keys(key: str) -> tuple[str, ...]:
    """Return the key, and what is left of it without the words around the name proper."""
    words, found = key.split(), [key]
    if len(words) > 1 and words[0] in _BEFORE:
        words = words[1:]
        found.append(" ".join(words))
    if len(words) > 1 and words[-1] in _BEHIND:
        found.append(" ".join(words[:-1]))
    return tuple(dict.fromkeys(found))
